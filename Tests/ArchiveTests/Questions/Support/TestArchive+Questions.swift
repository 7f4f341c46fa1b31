internal import ArchiveTestSupport
internal import Foundation
internal import GRDB
internal import Questions
internal import Store

extension TestArchive {
    /// Imports exports of the tenths of successive months; each is a list of records as XML.
    convenience init(_ exports: [[String]]) throws {
        try self.init(checksImports: false)
        for (index, records) in exports.enumerated() { try add(records, month: index + 1) }
    }

    /// Imports the export of the tenth of a month.
    func add(_ records: [String], month: Int) throws {
        var export = TestExport(day: 10, records)
        export.date = "2024-0\(month)-10 10:00:00 +0000"
        try add(export)
    }

    /// Asks about two observations, by position.
    func ask<R>(
        _ from: Int, _ to: Int, through: Bool = false, _ body: (ConsolidationAnswer, Database, Chain) throws -> R
    ) throws -> R {
        try read { db in
            guard let chain = try Chain.read(db, name: "default") else { throw CocoaError(.fileNoSuchFile) }
            let question = ConsolidationQuestion(
                from: chain.finished[from - 1], to: chain.finished[to - 1], through: through)
            let answer = try Consolidation.answer(db, chain: chain, question)
            defer { answer.close() }
            return try body(answer, db, chain)
        }
    }

    /// The summaries of the answer's groups.
    func groups(_ from: Int, _ to: Int, through: Bool = false) throws -> [String] {
        try ask(from, to, through: through) { answer, _, _ in try answer.summaries() }
    }
}

/// Records of a watch and their condensed forms, as XML.
enum CondensedRecords {
    /// A record; seconds count from 2024-01-09 12:00:00 UTC, `mark` is the condenser's identifier.
    static func record(
        _ type: String = "ActiveEnergyBurned", _ start: Int, _ end: Int, _ value: Double, unit: String = "kcal",
        source: String = "Watch", version: String = "10.1", mark: String? = nil
    ) -> String {
        func date(_ second: Int) -> String {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [
                .withFullDate, .withSpaceBetweenDateAndTime, .withTime, .withColonSeparatorInTime,
            ]
            return formatter.string(from: Date(timeIntervalSince1970: Double(1_704_801_600 + second))) + " +0000"
        }
        let head =
            "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" sourceVersion=\"\(version)\" unit=\"\(unit)\" "
        let dates =
            "creationDate=\"\(date(end + 5))\" startDate=\"\(date(start))\" endDate=\"\(date(end))\" value=\"\(value)\""
        guard let mark else { return head + dates + "/>" }
        return head + dates + "><MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(mark)\"/></Record>"
    }

    /// The condenser's identifier for seconds as above.
    static func mark(_ start: Double, _ end: Double, _ count: Int, version: Int = 3) -> String {
        let base = 1_704_801_600.0 - 978_307_200
        func time(_ second: Double) -> String { String(format: "%.5f", base + second) }
        return "\(version):1B17A065-3C55-4D0B-9C5E-0A8F2D4E6B71:\(time(start)):\(time(end)):\(count)"
    }
}
