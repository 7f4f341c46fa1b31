import Basics
import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

struct ZipTests {
    private typealias Member = ZipWriter.Member
    private static let dates = "startDate=\"2024-01-01 02:00:00 +0200\" endDate=\"2024-01-01 02:00:00 +0200\""
    private static func xml(_ records: Int = 50) -> String {
        document((0..<records).map { "<Record type=\"T\" \(dates) value=\"\($0)\"/>" }.joined(separator: "\n"))
    }

    private func readZip(_ members: [ZipWriter.Member], name: String = "export.zip") throws -> ReadExport {
        try readZip(bytes: ZipWriter.zip(members), name: name)
    }

    private func readZip(bytes: [UInt8], name: String = "export.zip") throws -> ReadExport {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try readExport(path: folder.write(name, bytes)) }
    }

    @Test(arguments: [false, true], [false, true])
    func forms(isDeflated: Bool, isZip64: Bool) throws {
        for hasDataDescriptor in [false, true] {
            let member = Member("apple_health_export/export.xml", Self.xml()).with {
                $0.isDeflated = isDeflated
                $0.isZip64 = isZip64
                $0.hasDataDescriptor = hasDataDescriptor
            }
            let read = try readZip([member])
            #expect(read.document.isComplete, "descriptor: \(hasDataDescriptor)")
            #expect(read.items.count == 50)
            #expect(read.document.xmlByteCount == Int64(member.content.count))
        }
    }

    @Test(arguments: [
        "export.xml", "Export.xml", "exporter.xml", "exportar.xml", "dati esportati.xml", "eksport.xml", "vienti.xml",
        "экспорт.xml",
        "导出.xml", "輸出.xml", "書き出したデータ.xml", "書き出したテ\u{3099}ータ.xml", "내보내기.xml", "EXPORT.XML",
    ])
    func mainFileIsFoundByContent(name: String) throws {
        for folder in ["apple_health_export/", "", "a/b/c/"] {
            let folderAndName = folder + name
            let zip = try TemporaryFolder()
            let path = try zip.write(
                "x.zip",
                ZipWriter.zip([
                    Member("apple_health_export/export_cda.xml", Self.clinical), Member(folderAndName, Self.xml()),
                ]))
            let container = try ExportContainer(path: path)
            #expect(Array(container.mainName.utf8) == Array(folderAndName.utf8))
            #expect(container.form == .zip)
            #expect(try readExport(path: path).document.isComplete)
        }
    }

    /// Windows tools write backslashes between folders.
    @Test func backslashesAreFolders() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "x.zip",
            ZipWriter.zip([
                Member("apple_health_export\\", []), Member("apple_health_export\\export.xml", Self.xml()),
                Member("apple_health_export\\workout-routes\\a.gpx", "<gpx/>"),
            ]))
        let container = try ExportContainer(path: path)
        #expect(container.sideFiles.map(\.path) == ["workout-routes/a.gpx"] && container.warnings.isEmpty)
    }

    /// Of two members of one name neither is lost: references use the last one, the other has a name of its own.
    @Test func membersOfOneName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "x.zip",
            ZipWriter.zip([
                Member("workout-routes/a.gpx", "<gpx>1</gpx>"), Member("export.xml", Self.xml()), Member("note", "1"),
                Member("workout-routes/a (1).gpx", "<gpx>2</gpx>"), Member("workout-routes/a.gpx", "<gpx>3</gpx>"),
                Member("note", "2"),
            ]))
        let container = try ExportContainer(path: path)
        var contents: [String: String] = [:]
        for file in container.sideFiles { try container.read(file) { contents[file.path, default: ""] += $0.string } }
        #expect(
            contents == [
                "workout-routes/a.gpx": "<gpx>3</gpx>", "workout-routes/a (1).gpx": "<gpx>2</gpx>",
                "workout-routes/a (2).gpx": "<gpx>1</gpx>",
            ])
        #expect(container.otherMembers.map(\.name) == ["note (1)", "note"])
        #expect(container.warnings.count == 2)
        #expect(container.warnings.last?.contains("workout-routes/a.gpx 2 times") == true)
        #expect(container.warnings.last?.contains("workout-routes/a (2).gpx") == true)
    }

    /// What looks like a side file and is none is not passed over in silence.
    @Test func filesThatCannotBePlaced() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "x.zip",
            ZipWriter.zip([
                Member("a/export.xml", Self.xml()), Member("workout-routes/a.gpx", "<gpx/>"),
                Member("a/Electrocardiograms/b.csv", ""), Member("a/readme.txt", ""),
            ]))
        let warnings = try ExportContainer(path: path).warnings
        #expect(warnings.count == 1 && warnings[0].contains("workout-routes/a.gpx, a/Electrocardiograms/b.csv"))
    }

    @Test(arguments: ["export.zip", "export.xml"]) func anEmptyFileIsCalledThat(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(name, [])
        let error = #expect(throws: HealthProbeError.self) { try ExportContainer(path: path) }
        #expect(error?.code == .notAHealthExport && error?.message == "The file is empty.")
        #expect(error?.hint.contains("again") == true)
    }

    /// What was hashed is what was read: a file that changes meanwhile, or is another one, is not.
    @Test(arguments: [0, 1, 2]) func aContainerThatChanges(how: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = ZipWriter.zip([Member("export.xml", Self.xml())])
        let path = try folder.write("x.zip", bytes)
        let container = try ExportContainer(path: path)
        try container.requireUnchanged()
        switch how {
        case 0: try folder.write("x.zip", bytes + [0])
        case 1:
            let other = try folder.write("y.zip", bytes)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: other, toPath: path)
        default: try FileManager.default.removeItem(atPath: path)
        }
        let error = #expect(throws: HealthProbeError.self) { try container.requireUnchanged() }
        #expect(error?.code == .sourceChanged && error?.code.exitCode == 74)
    }

    @Test func namesInOtherEncodings() throws {
        // Shift-JIS and Latin-1 without any flag.
        for name in [[0x8F, 0x91, 0x82, 0xAB] + Array(".xml".utf8), [0xE9] + Array("xport.xml".utf8)] as [[UInt8]] {
            let read = try readZip([Member("", Self.xml()).with { $0.name = Array("apple_health_export/".utf8) + name }]
            )
            #expect(read.document.isComplete)
        }
    }

    private static let clinical =
        "<?xml version=\"1.0\"?>\n<ClinicalDocument><note><HealthData></note></ClinicalDocument>"

    @Test func whatIsNoExportIsPassedOver() throws {
        let read = try readZip([
            Member("__MACOSX/apple_health_export/._export.xml", Self.xml(1)),
            Member("apple_health_export/._export.xml", Self.xml(2)),
            Member("apple_health_export/.DS_Store", "<HealthData>"),
            Member("apple_health_export/export_cda.xml", Self.clinical),
            Member("apple_health_export/", ""), Member("notes.txt", Self.xml(3)), Member("empty.xml", ""),
            Member("apple_health_export/export.xml", Self.xml(4)),
        ])
        #expect(read.items.count == 4)
    }

    /// Only the first element counts, by its whole name, and what is in a comment or an instruction does not.
    @Test(arguments: [
        "<HealthDataX/>", "<!-- <HealthData> -->\n<x/>", "<?note <HealthData> ?><x/>", "<x><HealthData/></x>",
        "<!DOCTYPE HealthDataX []><HealthDataX/>", "<!-- <HealthData>",
    ])
    func otherElementsAreNoSecondExport(text: String) throws {
        #expect(try readZip([Member("other.xml", text), Member("export.xml", Self.xml(2))]).items.count == 2)
    }

    @Test(arguments: [
        "<HealthData>", "<!-- <x> --><HealthData\tlocale=\"en\">", "<?xml version=\"1.0\"?><!DOCTYPE HealthData[",
        "<!DOCTYPE HealthData\n[<!ELEMENT x>", "<HealthData/>",
    ])
    func startsOfExports(text: String) throws {
        let error = #expect(throws: HealthProbeError.self) {
            try readZip([Member("other.xml", text), Member("export.xml", Self.xml(2))])
        }
        #expect(error?.code == .severalHealthExports)
    }

    @Test func unknownCompressionIsNamed() throws {
        let error = #expect(throws: HealthProbeError.self) {
            try readZip([Member("export.xml", Self.xml()).with { $0.claimedMethod = 97 }])
        }
        #expect(error?.code == .notAHealthExport)
        #expect(error?.message.contains("compressed") == true)
    }

    /// The central directory is gone through once, not once a member: 8,000 members took minutes.
    @Test(.timeLimit(.minutes(1))) func manyMembers() throws {
        let folder = try TemporaryFolder()
        let routes = (0..<8_000).map { Member("workout-routes/\($0).gpx", "<gpx/>").with { $0.isDeflated = false } }
        let others = (0..<2_000).map { Member("other/\($0).bin", "x").with { $0.isDeflated = false } }
        let path = try folder.write("x.zip", ZipWriter.zip(routes + others + [Member("export.xml", Self.xml(1))]))
        let container = try ExportContainer(path: path)
        var count = 0
        for file in container.sideFiles { try container.read(file) { count += $0.count } }
        #expect(count == 8_000 * 6)
        var digests: [(member: ContainerFile, sha256: Digest256?)] = []
        let unhashed = container.otherMemberHashing.run(isCancelled: { false }) { digests.append(($0, $1)) }
        #expect(unhashed == 0)
        #expect(digests.count == 2_000)
        #expect(digests.allSatisfy { $0.sha256 == Digest256(hashing: "x") })
    }

    @Test func severalExportsAreRefusedByName() throws {
        let error = #expect(throws: HealthProbeError.self) {
            try readZip([Member("a/export.xml", Self.xml(1)), Member("b/导出.xml", Self.xml(2)), Member("c.xml", "<x/>")])
        }
        #expect(error?.code == .severalHealthExports)
        #expect(error?.message.contains("a/export.xml, b/导出.xml") == true)
    }

    @Test func encryptedZipsAreRefused() throws {
        let error = #expect(throws: HealthProbeError.self) {
            try readZip([Member("export.xml", Self.xml()).with { $0.isEncrypted = true }])
        }
        #expect(error?.code == .encrypted)
    }

    @Test func zipsWithoutExportAreRefused() throws {
        for members in [[], [Member("a.txt", "x")], [Member("export_cda.xml", Self.clinical)]] {
            let error = #expect(throws: HealthProbeError.self) { try readZip(members) }
            #expect(error?.code == .notAHealthExport)
        }
    }

    /// Whatever is wrong with the checksum: all bytes are delivered, and the document is partial.
    @Test(arguments: [true, false])
    func wrongChecksumIsPartial(isDeflated: Bool) throws {
        let read = try readZip([
            Member("export.xml", Self.xml(3_000)).with {
                $0.checksumError = 1
                $0.isDeflated = isDeflated
            }
        ])
        #expect(read.stop == "crcMismatch")
        #expect(read.items.count == 3_000)
    }

    @Test func wrongLengthIsPartial() throws {
        for error in [1, -1, 500] {
            let read = try readZip([Member("export.xml", Self.xml(100)).with { $0.sizeError = error }])
            #expect(!read.document.isComplete)
            #expect(read.items.count >= (error < 0 ? 90 : 100))
        }
    }

    @Test func damagedDataIsPartial() throws {
        let member = Member("export.xml", Self.xml(2_000))
        var bytes = ZipWriter.zip([member])
        let middle = bytes.count / 2
        for index in middle..<middle + 8 { bytes[index] = 0xFF }
        let read = try readZip(bytes: bytes)
        #expect(!read.document.isComplete)
        #expect(read.items.count > 900 && read.items.count < 2_000)
    }

    /// A flipped bit anywhere gives an error, a partial document or the same content.
    @Test func flippedBits() throws {
        let good = ZipWriter.zip([Member("export.xml", Self.xml(3))])
        let whole = try readZip(bytes: good)
        for index in good.indices {
            var bytes = good
            bytes[index] ^= UInt8(1 << (index % 8))
            guard let read = try? readZip(bytes: bytes) else { continue }
            #expect(!read.document.isComplete || read.items == whole.items, "\(index)")
        }
    }

    @Test func memberNamesAreNeverPaths() throws {
        for name in [
            "../../../../../../tmp/healthprobe-escape/export.xml", "/tmp/healthprobe-escape/export.xml",
            "..\\export.xml",
        ] {
            #expect(try readZip([Member(name, Self.xml())]).document.isComplete)
            #expect(!FileManager.default.fileExists(atPath: "/tmp/healthprobe-escape"))
        }
    }
}
