internal import Foundation
internal import Store

/// A line of the generator's `truth.ndjson`: a group, a decoy, a revision or, in full detail, a record.
struct TruthLine: Decodable, Sendable {
    /// A record as the dump at hand prints it.
    struct Record: Decodable, Sendable, Hashable {
        var type: String
        var startDate: String
        var endDate: String
        var value: String?
        var unit: String?
        var sourceName: String
        var creationDate: String
        /// The condenser's identifier of a series.
        var syncIdentifier: String?

        /// What a record of the archive is compared by.
        var key: String {
            let number = value.flatMap { Double($0) }.map { "\($0)" } ?? value ?? ""
            return [type, startDate, endDate, number, unit ?? "", sourceName, creationDate].joined(separator: "|")
        }
    }

    var kind: String
    var from: Int
    var to: Int
    var type: String?
    var basis: String?
    var decoy: String?
    var replacements: [Record]?
    var constituents: [Record]?
    var disappeared: [Record]?
    /// Of a record: what became of it.
    var change: String?
    /// Of a record: why, as `deleted`, `condensed` or `rename+restore`.
    var cause: String?
    var before: Record?
    var after: Record?

    static func read(_ path: String) throws -> [TruthLine] {
        let decoder = JSONDecoder()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try decoder.decode(TruthLine.self, from: Data($0.utf8))
        }
    }
}

extension RecordRow {
    /// An instant as the generator notes it.
    static func truthDate(_ seconds: Int64?) -> String {
        guard let seconds else { return "" }
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).000Z"
    }

    /// The same text for a record of the archive.
    var truthKey: String {
        let text =
            switch value {
            case .absent: ""
            case .number(let number): "\(number)"
            case .text(let text): text
            }
        return [
            type, Self.truthDate(start), Self.truthDate(end), text, unit ?? "", sourceName ?? "",
            Self.truthDate(creation),
        ].joined(separator: "|")
    }
}
