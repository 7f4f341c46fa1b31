internal import ArchiveTestSupport
internal import Exporting
@testable internal import History
internal import Questions
internal import Store

/// Bags written from an archive.
extension TestArchive {
    /// An archive with one export of all kinds of items and their files.
    static func phone() throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.phone, files: Samples.files)
        return archive
    }

    /// Imports an export of a day in January 2024.
    func add(day: Int, _ items: [String], files: [String: String] = [:], isTruncated: Bool = false) throws {
        try add(TestExport(day: day, items, files: files, isTruncated: isTruncated))
    }

    /// The question that most tests ask.
    func question(
        _ kind: ExportKind = .records, _ format: ExportFormat = .ndjson, from: Int64? = nil, to: Int64 = 1,
        _ change: (inout ExportQuestion) -> Void = { _ in }
    ) -> ExportQuestion {
        var question = ExportQuestion(kind: kind, chain: "default", from: from, to: to)
        question.format = format
        change(&question)
        return question
    }

    /// Writes an export and returns its bag.
    func export(
        _ question: ExportQuestion, archive: String? = nil,
        _ change: (inout BagExport.Options) -> Void = { _ in }
    ) throws -> TestBag {
        var options = BagExport.Options(output: freshPath("bag"))
        change(&options)
        let reader = try ArchiveReader(path: archive ?? path)
        defer { reader.close() }
        let result = try reader.read {
            try BagExport.write(Snapshot($0, chain: question.chain), question, key: key(), options: options)
        }
        return TestBag(folder: options.output, result: result)
    }

    /// The archive's key.
    func key() throws -> ArchiveKey? {
        let uuid = try read { try ArchiveIdentity.read($0).uuid }
        return try KeyPlace(archive: uuid, secretFile: nil, environment: environment).read()
    }

    func record(_ result: BagExport.Outcome) throws {
        let writer = try writer()
        defer { writer.close() }
        try writer.record(result.recording, items: result.items)
    }
}
