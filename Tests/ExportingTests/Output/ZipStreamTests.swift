internal import ArchiveTestSupport
internal import Basics
@testable internal import Exporting
internal import ExportReading
internal import Foundation
internal import Testing
internal import TestSupport

/// Zips that are written without going back, read by this program's reader and by Python.
@Suite struct ZipStreamTests {
    private static let time = ZipTime(local: 1_714_557_600)

    private func write(_ members: [(name: String, content: [UInt8])], _ path: String) throws {
        let file = try HashedFile(path)
        let zip = try UnsafeZipWriter(file, Self.time, .fast)
        for member in members {
            try zip.begin(member.name)
            // Pieces of many lengths.
            for start in stride(from: 0, to: member.content.count, by: 70_001) {
                let end = min(start + 70_001, member.content.count)
                try Array(member.content[start..<end]).withByteView { try zip.append($0) }
            }
            try zip.end()
        }
        _ = try zip.finish()
    }

    private func content(_ name: String, in zip: WholeZip) throws -> [UInt8] {
        let source = try #require(try zip.open(name))
        let found = ByteBuffer(capacity: 1 << 16)
        while try source.read(into: found, upTo: 1 << 16) > 0 {}
        return found.view.array
    }

    @Test func whatWasWrittenIsReadAgain() throws {
        let archive = try TestArchive()
        var generator = SeededGenerator(seed: 14)
        var members: [(name: String, content: [UInt8])] = [("empty", []), ("folder/ä 心.txt", Array("text".utf8))]
        for number in 0..<20 {
            let count = Int.random(in: 0..<300_000, using: &generator)
            let isNoise = number.isMultiple(of: 2)
            let bytes = (0..<count).map { _ in isNoise ? UInt8.random(in: 0...255, using: &generator) : 0x41 }
            members.append(("noise/\(number)", bytes))
        }
        let (one, two) = (archive.freshPath("one.zip"), archive.freshPath("two.zip"))
        try write(members, one)
        try write(members, two)
        let bytes = FileManager.default.contents(atPath: one)
        #expect(bytes == FileManager.default.contents(atPath: two))
        let zip = try WholeZip(one)
        #expect(zip.names == members.map(\.name))
        for member in members { #expect(try content(member.name, in: zip) == member.content) }
        if PlainPython.path != nil {
            #expect(PlainPython.evaluate("zipfile.ZipFile(sys.argv[1]).testzip()", one) == "None")
        }
    }

    /// What unpacks a pipe knows a file by its own header.
    @Test func localHeadersNameTheirFiles() throws {
        let archive = try TestArchive()
        let path = archive.freshPath("one.zip")
        try write([("first.txt", Array("1".utf8)), ("other.txt", Array("2".utf8))], path)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        // Behind the thirty bytes of the first header is the name.
        bytes[30] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let zip = try WholeZip(path)
        #expect(throws: WholeZip.Refusal.self) { _ = try zip.open("first.txt") }
        #expect(try content("other.txt", in: zip) == Array("2".utf8))
    }

    /// Python takes the first file for the beginning, whatever the directory says of it.
    @Test func nothingIsBesideFilesAndDirectory() throws {
        let archive = try TestArchive()
        let path = archive.freshPath("longer.zip")
        try write([("a", Array("1".utf8))], path)
        #expect(try WholeZip(path).names == ["a"])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        var longer = Array("PK\u{3}\u{4}".utf8) + bytes
        // The places in the directory, whose only record has 47 bytes, and of the directory.
        let end = longer.count - 22
        longer[end - 47 + 42] += 4
        longer[end + 16] += 4
        for other in [longer, bytes.dropLast(22) + Array("JUNK".utf8) + bytes.suffix(22), bytes + bytes] {
            try Data(other).write(to: URL(fileURLWithPath: path))
            #expect(throws: WholeZip.Refusal.self) { _ = try WholeZip(path) }
        }
    }

    /// Lengths and places beyond four bytes, in a file that is nearly all hole.
    @Test func recordsOfZip64() throws {
        let archive = try TestArchive()
        var (first, second) = (ZipRecords.Member(name: "long", offset: 0), ZipRecords.Member(name: "late", offset: 0))
        (first.byteCount, first.packedByteCount) = (6 << 30, 5 << 30)
        #expect(ZipRecords.descriptor(first).count == 24 && ZipRecords.descriptor(second).count == 16)
        second.offset = 5 << 30 + 1000
        (second.byteCount, second.packedByteCount) = (0xFFFF_FFFF, 7)
        let many = (0..<70_000).map { number in
            ZipRecords.Member(name: "\(number)", offset: 6 << 30 + Int64(number) * 100)
        }
        let start: Int64 = 7 << 30
        let directory = ZipRecords.directory([first, second] + many, at: start, Self.time)
        let path = archive.freshPath("sparse.zip")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seek(toOffset: UInt64(start))
        try file.write(contentsOf: Data(directory))
        try file.close()
        guard PlainPython.path != nil else { return }
        let question =
            "[(len(l), [(i.file_size, i.compress_size, i.header_offset) for i in l[:2]], l[-1].date_time) "
            + "for l in [zipfile.ZipFile(sys.argv[1]).infolist()]][0]"
        #expect(
            PlainPython.evaluate(question, path)
                == "(70002, [(6442450944, 5368709120, 0), (4294967295, 7, 5368710120)], (2024, 5, 1, 10, 0, 0))")
    }
}
