internal import Basics
internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

/// Where the documents of the commands lead to: the questions that follow from what they show.
extension Document.Link {
    static func observation(_ id: Int64) -> Document.Link { .init("show", ["at": "\(id)"]) }

    /// The visible records of an observation.
    static func records(at id: Int64, type: String? = nil, source: String? = nil) -> Document.Link {
        .init("records", ["at": "\(id)", "type": type, "source": source])
    }

    /// What a bucket is made of: the records of a day, the days of a month.
    static func bucket(_ bucket: AggregateBucket, by size: AggregateQuestion.Size, at id: Int64) -> Document.Link {
        let span = [bucket.start, bucket.end].map { ISO8601.string(unixSeconds: $0) }
        return .init(
            size == .day ? "records" : "aggregates",
            ["at": "\(id)", "type": bucket.type, "since": span[0], "until": span[1], "source": bucket.sourceName])
    }

    /// A local day of the chain at an observation.
    static func day(_ label: String, at id: Int64, type: String) -> Document.Link {
        .init("aggregates", ["at": "\(id)", "type": type, "since": label, "until": label])
    }

    /// One type at all observations.
    static func type(_ type: String) -> Document.Link { .init("type", ["type": type]) }

    static func sample(_ identity: Digest256) -> Document.Link { .init("history", ["identity": identity.hex]) }

    /// A comparison of two observations; nil where there is no earlier one.
    static func comparison(
        _ command: String = "diff", from: Int64?, to: Int64, through: Bool = false, type: String? = nil,
        change: DiffChange.Kind? = nil
    ) -> Document.Link? {
        guard let from else { return nil }
        return .init(
            command,
            [
                "from": "\(from)", "to": "\(to)", "through": through ? "1" : nil, "type": type,
                "change": change?.rawValue,
            ])
    }
}
