internal import ArchiveTestSupport
internal import Basics
internal import Exporting
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store
internal import Testing
internal import TestSupport

/// A Health export under `hashed` and `none` names nobody, is valid, and reads back as the same samples.
@Suite struct HealthExportProvenanceTests {
    @Test(arguments: [Provenance.hashed, .none], [[], [.routes]] as [[Provenance.Part]])
    func nobodyIsNamedInAnXML(_ profile: Provenance, _ include: [Provenance.Part]) throws {
        let archive = try TestArchive.phone()
        let full = try archive.write("full.xml", key: nil)
        let written = try archive.write("reduced.xml", key: archive.key()) {
            $0.provenance = profile
            $0.include = include
        }
        for name in Samples.identifying {
            #expect(try !written.text().contains(name), "\(name)")
            #expect(try !written.manifestText().contains(name), "\(name) in the manifest")
            #expect(try full.text().contains(name) || name == "1980-02-03")
        }
        #expect(UnsafeValidation.complaint(written.path) == nil)
        #expect(try written.text().contains("trkpt") == false)
        #expect(try written.text().contains("<WorkoutRoute") == include.contains(.routes))
        #expect(try written.text().contains(#"key="HKFoodType" value="porridge""#))
        #expect(try written.text().contains(#"value="41.50""#))
        #expect(try written.text().contains(#" HKCharacteristicTypeIdentifierBloodType="""#))
    }

    @Test(.enabled(if: PlainPython.path != nil, "no Python"), arguments: [Provenance.hashed, .none])
    func nobodyIsNamedInAZip(_ profile: Provenance) throws {
        let archive = try TestArchive.phone()
        let parts: [[Provenance.Part]] = [[], [.routes], [.routes, .clinical]]
        for include in parts {
            let written = try archive.write("reduced-\(include.count).zip", key: archive.key()) {
                $0.isZip = true
                $0.provenance = profile
                $0.include = include
            }
            let members = PlainPython.members(written.path)
            #expect(members.count == 2 + include.count + (include.contains(.clinical) ? 1 : 0))
            for (path, text) in members {
                for name in Samples.identifying {
                    #expect(!path.contains(name), "\(name) in the name of \(path)")
                    #expect(path.contains("clinical-records/") || !text.contains(name), "\(name) in \(path)")
                }
            }
            let signal = members.first { $0.key.contains("electrocardiograms/") }?.value ?? ""
            #expect(signal.hasPrefix("Name,\nDate of Birth,\nRecorded Date,2024-01-01 06:00:00 +0000\n"))
            #expect(signal.hasSuffix("1.5\n-2.25\n"))
            let left = written.manifest.json["leftOut"]?["provenance"]
            #expect(left?["workoutRouteFiles"] == (include.contains(.routes) ? nil : .int(1)))
            #expect(left?["clinicalRecordFiles"] == (include.contains(.clinical) ? nil : .int(1)))
            #expect(left?["routes"] == (include.contains(.routes) ? nil : .int(1)))
            #expect(left?["electrocardiogramNames"] == .int(1))
        }
    }

    @Test(arguments: [Provenance.hashed, .none])
    func itReadsBackAsTheSameSamples(_ profile: Provenance) throws {
        let archive = try TestArchive.phone()
        let written = try archive.write("reduced.zip", key: archive.key()) {
            $0.isZip = true
            $0.provenance = profile
            $0.include = [.routes, .clinical]
        }
        let back = try TestArchive()
        try back.add(path: written.path)
        let (before, after) = (try archive.identities(of: 1), try back.identities(of: 1))
        // What an app wrote under a name of its own has that name in its key.
        let keyed: Set = ["ClinicalRecord/Observation", "Element/Odd", "Element/Élan_Alma"]
        for (type, identities) in before where !keyed.contains(type) {
            #expect(after[type]?.sorted() == identities.sorted(), "\(type)")
        }
        #expect(after["ClinicalRecord/Observation"]?.count == 1)
        #expect(after.values.joined().count == before.values.joined().count)
        // The track and the clinical file are found again under their new names.
        func sideFiles(_ db: Database) throws -> [String] {
            try StoredSideFiles.files(db, of: 1)
                .map { file in "\(file.path.prefix { $0 != "/" }) \(file.byteCount)" }.sorted()
        }
        let files = try back.read(sideFiles)
        let stored = try archive.read(sideFiles)
        #expect(files.filter { !$0.hasPrefix("elec") } == stored.filter { !$0.hasPrefix("elec") })
        let linked = try back.read { db in
            try String.fetchAll(db, sql: "SELECT kind FROM relationships ORDER BY kind")
        }
        #expect(
            try linked
                == archive.read { try String.fetchAll($0, sql: "SELECT kind FROM relationships ORDER BY kind") })
    }

    @Test func equalNamesStayEqualUnderOneKey() throws {
        let archive = try TestArchive.phone()
        let key = try #require(try archive.key())
        let text = try archive.write("reduced.xml", key: key) { $0.provenance = .hashed }.text()
        let watch = key.pseudonym("Alma's Watch", domain: "source")
        #expect(text.components(separatedBy: "sourceName=\"\(watch)\"").count - 1 == 6)
        #expect(text.contains("name:\(key.pseudonym("Alma's Apple Watch", domain: "device")), manufacturer:Apple Inc."))
        #expect(text.contains(key.pseudonym("5F3C-EXTERNAL-UUID", domain: "metadata")))
        #expect(text.contains(#"<ClinicalRecord type="Observation" "#) && text.contains(#"sourceURL="""#))
        #expect(!text.contains(key.pseudonym("Clinic of Iris", domain: "source")))
        let again = try archive.write("again.xml", key: key) { $0.provenance = .hashed }
        #expect(try again.text() == text)
    }

    @Test func onlyPseudonymsNeedTheKey() throws {
        let archive = try TestArchive.phone()
        for profile in Provenance.allCases {
            let attempt = Result { try archive.write("without-\(profile).xml", key: nil) { $0.provenance = profile } }
            #expect((attempt.failure as? HealthProbeError)?.code == (profile == .hashed ? .keyUnreadable : nil))
            let isThere = FileManager.default.fileExists(atPath: "\(archive.folder)/without-\(profile).xml")
            #expect(isThere == (profile != .hashed))
        }
    }
}
