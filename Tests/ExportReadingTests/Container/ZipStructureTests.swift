import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

/// Zips without an end record, with one that is wrong, and with members that a phone does not write.
struct ZipStructureTests {
    private typealias Member = ZipWriter.Member
    private static let dates = "startDate=\"2024-01-01 02:00:00 +0200\" endDate=\"2024-01-01 02:00:00 +0200\""
    private static let clinical = "<?xml version=\"1.0\"?>\n<ClinicalDocument/>"

    private static func xml(_ records: Int) -> String {
        document((0..<records).map { "<Record type=\"T\" \(dates) value=\"\($0)\"/>" }.joined(separator: "\n"))
    }

    private func readZip(bytes: [UInt8]) throws -> ReadExport {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try readExport(path: folder.write("export.zip", bytes)) }
    }

    /// Every truncation is refused with an error of its own, or read as far as it goes; nothing crashes.
    @Test(arguments: [false, true])
    func truncatedZips(hasDataDescriptor: Bool) throws {
        let xml = Member("apple_health_export/export.xml", Self.xml(4)).with {
            $0.hasDataDescriptor = hasDataDescriptor
        }
        let bytes = ZipWriter.zip([xml, Member("apple_health_export/electrocardiograms/e.csv", "x")])
        let xmlEnd = ZipWriter.membersByteCount([xml])
        let folder = try TemporaryFolder()
        for length in 4..<bytes.count {
            do {
                let path = try folder.write("x.zip", Array(bytes[..<length]))
                #expect(try ExportContainer(path: path).isCut, "\(length)")
                guard length % 3 == 0 || abs(length - xmlEnd) < 30 else { continue }
                let read = try readExport(path: path)
                #expect(read.document.isComplete == (length >= xmlEnd), "\(length)")
                #expect(read.stop == (length >= xmlEnd ? nil : "zip:17"), "\(length)")
                #expect(read.items.count == 4 || length < xmlEnd)
            } catch let error as HealthProbeError {
                #expect(error.code == .notAHealthExport && length < xmlEnd, "\(length)")
            }
        }
    }

    /// Local headers are read in order: lengths from the header, from the descriptor, or from the data itself.
    @Test(arguments: [false, true], [false, true])
    func membersBeforeACut(hasDataDescriptor: Bool, isZip64: Bool) throws {
        let members = [
            Member("apple_health_export/", "").with { $0.isDeflated = false },
            Member("apple_health_export/workout-routes/a.gpx", "PK\u{3}\u{4}").with { $0.isDeflated = false },
            Member("apple_health_export/clinical-records/empty.json", "").with {
                $0.hasDataDescriptor = hasDataDescriptor
                $0.isZip64 = isZip64
            },
            Member("apple_health_export/export.xml", Self.xml(30)).with {
                $0.hasDataDescriptor = hasDataDescriptor
                $0.isZip64 = isZip64
            },
            Member("apple_health_export/export_cda.xml", Self.clinical),
        ]
        let folder = try TemporaryFolder()
        let bytes = ZipWriter.zip(members)
        let path = try folder.write("x.zip", Array(bytes[..<ZipWriter.membersByteCount(members)]))
        let container = try ExportContainer(path: path)
        #expect(container.isCut && container.completeKinds.isEmpty)
        #expect(container.sideFiles.map(\.path) == ["clinical-records/empty.json", "workout-routes/a.gpx"])
        #expect(container.otherMembers.map(\.name) == ["apple_health_export/export_cda.xml"])
        #expect(try readExport(path: path).items.count == 30)
        #expect(!container.warnings.isEmpty)
    }

    @Test func aStoredMemberWithoutLengthEndsACutZip() throws {
        let members = [
            Member("export.xml", Self.xml(3)),
            Member("workout-routes/a.gpx", "a").with {
                $0.isDeflated = false
                $0.hasDataDescriptor = true
            }, Member("workout-routes/b.gpx", "b"),
        ]
        let folder = try TemporaryFolder()
        let bytes = ZipWriter.zip(members)
        let path = try folder.write("x.zip", Array(bytes[..<ZipWriter.membersByteCount(members)]))
        #expect(try ExportContainer(path: path).sideFiles.map(\.path) == ["workout-routes/a.gpx"])
        #expect(try readExport(path: path).document.isComplete)
    }

    @Test func aWrongDescriptorOfACutZipIsPartial() throws {
        let member = Member("export.xml", Self.xml(30)).with {
            $0.hasDataDescriptor = true
            $0.checksumError = 1
        }
        let bytes = Array(ZipWriter.zip([member])[..<ZipWriter.membersByteCount([member])])
        #expect(try readZip(bytes: bytes).stop == "crcMismatch")
    }

    /// A record at the end that contradicts the file is no cut.
    @Test(arguments: [(10, 1), (12, 0x7F), (16, 1), (18, 0x7F)] as [(at: Int, flip: UInt8)])
    func endRecordsThatContradictTheFile(_ change: (at: Int, flip: UInt8)) throws {
        var bytes = ZipWriter.zip([Member("export.xml", Self.xml(3))])
        bytes[bytes.count - 22 + change.at] ^= change.flip
        let error = #expect(throws: HealthProbeError.self) { try readZip(bytes: bytes) }
        #expect(error?.code == .notAHealthExport)
        #expect(error?.message.contains("contradicts") == true)
    }

    /// The compressed size of a member reaches into the directory, or leaves the file.
    @Test(arguments: [21, 23]) func membersBehindTheirDirectory(_ at: Int) throws {
        let name = "export.xml"
        var bytes = ZipWriter.zip([Member(name, Self.xml(3))])
        bytes[bytes.count - 22 - 46 - name.utf8.count + at] &+= 1
        let error = #expect(throws: HealthProbeError.self) { try readZip(bytes: bytes) }
        #expect(error?.code == .notAHealthExport)
    }

    @Test func zip64DirectoriesBeyondTheFile() throws {
        let good = ZipWriter.zip([Member("export.xml", Self.xml(3)).with { $0.isZip64 = true }])
        // The record's offset of the directory; the locator's offset of the record.
        for (at, value) in [
            (good.count - 22 - 20 - 8, 0x7F), (good.count - 22 - 20 - 8, 0xFF), (good.count - 22 - 12, 0x7F),
        ] {
            for byte in [2, 7] {
                var bytes = good
                bytes[at + byte] = UInt8(value)
                let error = #expect(throws: HealthProbeError.self) { try readZip(bytes: bytes) }
                #expect(error?.code == .notAHealthExport, "\(at) \(byte)")
            }
        }
    }

    @Test func overlappingMembersAreRefused() throws {
        var bytes = ZipWriter.zip([Member("export.xml", Self.xml(3)), Member("a.bin", "x"), Member("b.bin", "x")])
        // The directory's last entry is given the place of the one before it.
        let last = bytes.count - 22 - 46 - 5
        for byte in 42..<46 { bytes[last + byte] = bytes[last - 46 - 5 + byte] }
        let error = #expect(throws: HealthProbeError.self) { try readZip(bytes: bytes) }
        #expect(error?.code == .notAHealthExport)
        #expect(error?.message.contains("overlap") == true)
    }

    @Test func otherMembersUnpackToABound() throws {
        let bomb = Member("bomb.bin", [UInt8](repeating: 0, count: 1 << 20)).with { $0.packed = ZipWriter.packedZeros }
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "x.zip",
            ZipWriter.zip([Member("export.xml", Self.xml(3)), Member("a.bin", "x"), bomb, Member("b.bin", "x")]))
        let container = try ExportContainer(path: path)
        var digests: [String: Digest256?] = [:]
        #expect(container.otherMemberHashing.run(isCancelled: { false }) { digests[$0.name] = $1 } == 2)
        #expect(digests == ["a.bin": Digest256(hashing: "x"), "bomb.bin": nil, "b.bin": nil])
        var count = 0
        _ = container.otherMemberHashing.run(isCancelled: { true }) { _, _ in count += 1 }
        #expect(count == 0)
    }
}
