internal import ArchiveTestSupport
internal import Basics
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store
internal import Testing
internal import TestSupport

/// Names and texts that no export of Apple has: whatever they are, what is written is well-formed and complete.
@Suite struct HealthExportFormTests {
    private static let unknown = [
        Samples.steps(1),
        #"<x:ns xmlns:x="https://alma.example/" xmlns="https://iris.example/" x:word="1"><inner>q</inner></x:ns>"#,
        #"<y xmlns:x="u"><inner x:word="2">some <b>bold</b></inner><x:inner>r</x:inner></y>"#,
        #"<z xml:lang="en">text</z>"#, "<empty></empty>",
    ]

    @Test(arguments: Provenance.allCases)
    func prefixesAreDeclared(_ provenance: Provenance) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Self.unknown)
        let written = try archive.write("export.xml", key: archive.key()) { $0.provenance = provenance }
        #expect(UnsafeValidation.isNamespaceWellFormed(written.path))
        #expect(UnsafeValidation.complaint(written.path) == nil || provenance == .full)
        if provenance != .full { #expect(try !written.text().contains("example")) }
        let back = try TestArchive()
        try back.add(path: written.path)
        #expect(try back.identities(of: 1).values.joined().count == Self.unknown.count)
    }

    /// The reader takes no prolog over its cap, so that not all of so many names can be declared.
    @Test func moreNamesThanAPrologHolds() throws {
        let archive = try TestArchive()
        let filling = String(repeating: "n", count: 200)
        try archive.add(
            day: 2,
            (0..<3_000).map { #"<unknown a\#($0)\#(filling)="1" b\#($0)\#(filling)="2"/>"# } + [Samples.steps(1)])
        let written = try archive.write("export.xml", key: nil)
        #expect(written.manifest.undeclaredNames)
        let back = try TestArchive()
        try back.add(path: written.path)
        #expect(try back.identities(of: 1) == archive.identities(of: 1))
    }

    /// A route makes an ordinary child of what else would be metadata or a list of beats.
    @Test func aRouteInAnOddPlaceReadsBack() throws {
        let route = #"<WorkoutRoute sourceName="r" startDate="\#(Samples.time(5))" endDate="\#(Samples.time(6))"/>"#
        let other = route.replacing(#""r""#, with: #""s""#)
        let beat = #"<InstantaneousBeatsPerMinute bpm="61" time="1:00:00.50"/>"#
        let entry = #"<MetadataEntry key="k" value="v">\#(route)</MetadataEntry>"#
        let list = "<HeartRateVariabilityMetadataList>\(beat)\(route)</HeartRateVariabilityMetadataList>"
        let workout = """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="\(Samples.time(4))" \
            endDate="\(Samples.time(8))">
            """
        for inner in [entry, list, entry + other, "<Odd>\(entry)</Odd>", entry + Samples.metadata("k", "v")] {
            for item in [workout + inner + "</Workout>", Samples.steps(1, inner: inner), "<Top>\(inner)</Top>"] {
                let archive = try TestArchive()
                try archive.add(day: 2, [item])
                let back = try TestArchive()
                try back.add(path: archive.write("export.xml", key: nil).path)
                func digest(_ archive: TestArchive) throws -> StateDigest? {
                    try archive.read { try ObservationResolver.chain($0, name: "default").finished.first?.stateDigest }
                }
                #expect(try digest(back) == digest(archive), "\(item)")
            }
        }
    }

    /// The reader takes 64 levels of elements; the root, the item and the record are three of them.
    @Test(arguments: [57, 59, 60, 61]) func aDeepRecordReadsBack(_ between: Int) throws {
        let item =
            "<Top>" + String(repeating: "<Odd>", count: between) + Samples.steps(1)
            + String(repeating: "</Odd>", count: between) + "</Top>"
        let archive = try TestArchive()
        try archive.add(day: 2, [item])
        let written = try archive.write("export.xml", key: nil)
        #expect(written.manifest.warnings == [])
        let back = try TestArchive()
        try back.add(path: written.path)
        func digest(_ archive: TestArchive) throws -> StateDigest? {
            try archive.read { try ObservationResolver.chain($0, name: "default").finished.first?.stateDigest }
        }
        #expect(try digest(back) == digest(archive))
    }

    @Test func textIsClosedBehindItsEnd() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Self.unknown)
        let text = try archive.write("export.xml", key: nil).text()
        for piece in ["<inner>q</inner>\n", "<b>bold</b>\n", ">text</z>\n", "<x:inner>r</x:inner>\n", "<empty/>\n"] {
            #expect(text.contains(piece), "\(piece)")
        }
    }

    /// Names that mean another file, or none, on some systems where a zip is unpacked.
    @Test(.enabled(if: PlainPython.path != nil, "no Python"))
    func sideFilesCanBeUnpackedEverywhere() throws {
        let archive = try TestArchive()
        var files = ["attachments/B.pdf": "1", "attachments/b.pdf": "2", "attachments/b.PDF": "3"]
        for name in ["c:d.txt", "con", "NUL.txt", "end.", "end ", "a?b", "x<y>", "COM1.pdf", "fine.con.txt"] {
            files["attachments/\(name)"] = name
        }
        try archive.add(day: 2, [Samples.steps(1)], files: files)
        let written = try archive.write("export.zip", key: nil) { $0.isZip = true }
        let members = PlainPython.members(written.path)
        #expect(members.count == 1 + files.count && Set(members.values).isSuperset(of: files.values))
        #expect(Set(members.keys.map { $0.lowercased() }).count == members.count)
        let names = members.keys.compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(names.contains("fine.con.txt"))
        for name in names {
            #expect(!name.contains { ":?<>".contains($0) } && !name.hasSuffix(".") && !name.hasSuffix(" "), "\(name)")
            #expect(!["con", "nul", "com1"].contains(name.prefix { $0 != "." }.lowercased()), "\(name)")
        }
        #expect(written.manifest.warnings.contains { $0.hasPrefix("10 side files") })
    }

    @Test(.enabled(if: PlainPython.path != nil, "no Python"))
    func everySideFileIsThere() throws {
        let archive = try TestArchive()
        let odd = ["a\u{202E}txt.exe", "a\u{7}b.pdf", "c\\d.pdf", "e\u{2028}.json"]
        var files = [
            "attachments/plain.pdf": "plain", "attachments/a\u{202E}b.pdf": "same", "attachments/a\u{7}.pdf": "same",
        ]
        for name in odd {
            files["attachments/\(name)"] = name
            files["clinical-records/\(name)"] = "clinical " + name
            files["workout-routes/\(name).gpx"] = "<gpx><trk><name>\(name)</name></trk></gpx>"
        }
        try archive.add(day: 2, [Samples.steps(1)], files: files)
        for (provenance, unusable) in [(Provenance.full, 14), (.none, 0)] {
            let written = try archive.write("export-\(provenance).zip", key: nil) {
                $0.isZip = true
                $0.provenance = provenance
                $0.include = [.routes, .clinical]
            }
            let members = PlainPython.members(written.path)
            #expect(members.count == 1 + files.count)
            let contents = Set(members.values)
            for text in files.values where !text.hasPrefix("<gpx") { #expect(contents.contains(text), "\(text)") }
            #expect(written.manifest.json["sideFiles"] == .int(files.count))
            #expect(written.manifest.warnings.contains { $0.hasPrefix("\(unusable) side files") } == (unusable > 0))
            #expect(members.keys.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 32 } })
        }
    }
}
