internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// Bags that somebody zipped: the program and the script in plain Python refuse the same zips.
@Suite(.enabled(if: PlainPython.path != nil, "python3 is not there"))
struct ZippedBagTests {
    private let archive: TestArchive
    private let bag: TestBag

    init() throws {
        archive = try TestArchive()
        try archive.add(day: 2, (10..<20).map { Samples.steps($0, value: "\($0)") })
        bag = try archive.export(archive.question())
    }

    private func members(_ prefix: String) throws -> [ZipWriter.Member] {
        try [
            bag.itemsFile, "data/envelope.json", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt",
            "bagit.txt",
        ].map { ZipWriter.Member(prefix + $0, try bag.text($0)) }
    }

    /// Writes a zip and expects one verdict of both.
    private func expect(_ isValid: Bool, _ zip: [UInt8], _ comment: Comment) throws {
        let path = archive.freshPath("bag.zip")
        try Data(zip).write(to: URL(fileURLWithPath: path))
        let failure = Result { try ExportVerification.run(path, signers: nil) }.failure as? VerificationFailure
        #expect((failure == nil) == isValid, "\(comment): \(failure?.text ?? "valid")")
        let answer = PlainPython.verify(path)
        #expect(answer.status == (isValid ? 0 : 4), "\(comment): \(answer.text)")
    }

    @Test func whereTheBagMayBe() throws {
        for prefix in ["", "bag/", "..bag/"] { try expect(true, ZipWriter.zip(members(prefix)), "\(prefix)") }
        for prefix in ["../", "./", "/"] { try expect(false, ZipWriter.zip(members(prefix)), "\(prefix)") }
    }

    /// Paths that a program which unpacks may write elsewhere, each listed and in the zip.
    @Test(arguments: ["../evil.txt", "/etc/evil", "a/../b", "./x", "a//b", "a/", "../\u{301}"])
    func pathsStayInTheBag(_ path: String) throws {
        let tags = try bag.text("tagmanifest-sha256.txt")
        try bag.write(tags + "\(Digest256(hashing: "x").hex)  \(path)\n", to: "tagmanifest-sha256.txt")
        try expect(false, ZipWriter.zip(members("bag/") + [.init("bag/" + path, "x")]), "\(path)")
    }

    @Test func nothingIsBehindTheEndRecord() throws {
        let zip = try ZipWriter.zip(members("bag/"))
        try expect(true, zip, "as it is")
        try expect(false, zip + [0x78], "a byte")
        try expect(false, zip + [UInt8](repeating: 0, count: 100), "zeros")
        try expect(false, Array(zip.dropLast(2)) + [2, 0, 0x68, 0x69], "a comment")
    }

    /// A program that reads a zip from its beginning unpacks what the directory does not name, over what it does.
    @Test func nothingIsBetweenTheFiles() throws {
        let more = ZipWriter.Member("bag/\(bag.itemsFile)", "[]").with { $0.isListed = false }
        try expect(false, ZipWriter.zip(members("bag/") + [more]), "behind the last file")
        try expect(false, ZipWriter.zip([more] + members("bag/")), "before the first file")
        var between = try members("bag/")
        between.insert(more, at: 2)
        try expect(false, ZipWriter.zip(between), "between two files")
        for isZip64 in [false, true] {
            let described = try members("bag/").map {
                $0.with {
                    $0.hasDataDescriptor = true
                    $0.isZip64 = isZip64
                }
            }
            try expect(true, ZipWriter.zip(described), "with data descriptors")
        }
    }

    @Test func aFolderHasNoContent() throws {
        try expect(true, ZipWriter.zip(members("bag/") + [.init("bag/more/", "")]), "an empty folder")
        try expect(false, ZipWriter.zip(members("bag/") + [.init("bag/more/", "x")]), "a folder with content")
    }

    /// The directory says that a file is longer than it is.
    @Test func lengthsAreThoseOfTheDirectory() throws {
        let longer = try members("bag/").map { $0.with { $0.sizeError = 1 } }
        try expect(false, ZipWriter.zip(longer), "a byte more")
    }
}
