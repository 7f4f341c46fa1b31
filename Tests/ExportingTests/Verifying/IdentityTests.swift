internal import ArchiveTestSupport
internal import Basics
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store
internal import Testing

/// What an item says of itself has the identity that it is known by: at export time and in verification.
@Suite struct IdentityTests {
    /// CSV is hashed as a file and is not read back item by item.
    @Test(arguments: Provenance.allCases, ExportFormat.allCases.filter { $0 != .csv })
    func everyIdentityIsRecomputed(_ provenance: Provenance, _ format: ExportFormat) throws {
        let archive = try TestArchive.phone()
        let bag = try archive.export(
            archive.question(.records, format) {
                $0.provenance = provenance
                $0.include = [.routes]
            })
        let report = try ExportVerification.run(bag.folder, signers: nil)
        #expect(report.identitiesRecomputed + report.identitiesSkipped == bag.result.recordCount)
        #expect(report.identitiesRecomputed > bag.result.recordCount / 2)
        if provenance == .full { #expect(report.identitiesSkipped == 0) }
        guard PlainPython.path != nil else { return }
        let answer = PlainPython.verify(bag.folder)
        #expect(answer.status == 0, "\(answer.text)")
        #expect(answer.text.contains("\(report.identitiesRecomputed) identities recomputed"))
    }

    /// An archive that was edited hands nothing on under the identity of what it held.
    @Test func anEditedValueIsNotExported() throws {
        let archive = try TestArchive.phone()
        try archive.tamper("UPDATE record_versions SET value = 99, lexical_form = NULL WHERE value = 10.5")
        func code(_ body: () throws -> Void) -> HealthProbeError.Code? {
            (Result { try body() }.failure as? HealthProbeError)?.code
        }
        #expect(code { _ = try archive.export(archive.question()) } == .integrityFailure)
        #expect(code { _ = try archive.write("export.xml", key: nil) } == .integrityFailure)
        #expect(code { _ = try archive.write("export.zip", key: nil) { $0.isZip = true } } == .integrityFailure)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: archive.folder).contains { $0.contains(".zip") })
    }

    @Test func aForeignFileIsCalledThat() throws {
        let archive = try TestArchive()
        let file = archive.folder + "/export.xml"
        try "<HealthData/>".write(toFile: file, atomically: false, encoding: .utf8)
        let failures = [
            Result { try ExportVerification.run(file, signers: nil) }.failure,
            Result { try ExportVerification.run(archive.folder, signers: nil) }.failure,
        ]
        for failure in failures { #expect((failure as? VerificationFailure)?.isForeign == true) }
        guard PlainPython.path != nil else { return }
        for path in [file, archive.folder] {
            let answer = PlainPython.verify(path)
            #expect(answer.status == 4 && answer.text.hasPrefix("not an export of HealthProbe"), "\(answer.text)")
        }
    }

    @Test func theScriptChecksAHealthExport() throws {
        guard PlainPython.path != nil else { return }
        let archive = try TestArchive.phone()
        let written = try archive.write("export.zip", key: nil) { $0.isZip = true }
        let answer = PlainPython.verify(written.path)
        #expect(answer.status == 0 && answer.text.hasPrefix("valid: health_export_zip"), "\(answer.text)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: written.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
        #expect(PlainPython.verify(written.path).status == 4)
    }

    /// What cannot be written so that it reads back is counted, and the manifest has the digest that a reader finds.
    @Test func aNestedRecordThatWasCarriedOverIsCounted() throws {
        let archive = try TestArchive()
        func systolic(_ source: String) -> String {
            #"""
            <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="\#(source)" unit="mmHg" \#
            startDate="2024-01-01 07:00:00 +0000" endDate="2024-01-01 07:00:00 +0000" value="120"/>
            """#
        }
        let pressure = #"""
            <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \#
            startDate="2024-01-01 07:00:00 +0000" endDate="2024-01-01 07:00:00 +0000">\#(systolic("Cuff"))</Correlation>
            """#
        let steps = (0..<5).map { Samples.steps($0) }
        try archive.add(day: 2, steps + [pressure])
        try archive.add(day: 3, steps + [systolic("New cuff")], isTruncated: true)
        let written = try archive.write("export.zip", key: nil) { $0.isZip = true }
        let manifest = JSON.parse(try written.manifestText().trimmingCharacters(in: .newlines))
        #expect(manifest?["notReproduced"]?.int == 1)
        #expect(manifest?["streamDigest"]?.string != manifest?["stateDigest"]?.string)
        #expect(written.manifest.warnings.contains { $0.contains("notReproduced") })
        let again = try TestArchive()
        try again.add(path: written.path)
        let read = try again.read { try Snapshot($0, chain: "default").observation("latest").streamDigest?.hex }
        #expect(read == manifest?["streamDigest"]?.string)
        // The correlation has no creation date of its own: with one it is another version.
        let filled = try archive.write("filled.zip", key: nil) { ($0.isZip, $0.fillsCreationDates) = (true, true) }
        let other = JSON.parse(try filled.manifestText().trimmingCharacters(in: .newlines))
        #expect(other?["streamDigest"] == JSON.null && other?["stateDigest"] == manifest?["stateDigest"])
        // A complete observation reads back as it is.
        let first = try archive.read { try Snapshot($0, chain: "default").observation("first").id }
        let whole = try archive.write("first.zip", key: nil) {
            $0.to = first
            $0.isZip = true
        }
        let said = JSON.parse(try whole.manifestText().trimmingCharacters(in: .newlines))
        #expect(said?["notReproduced"]?.int == 0 && said?["streamDigest"]?.string == said?["stateDigest"]?.string)
    }
}
