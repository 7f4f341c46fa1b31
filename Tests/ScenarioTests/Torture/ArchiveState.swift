import Foundation
import TestSupport

/// What an archive says of itself, free of when it was made: for comparing one that went through trouble with one that
/// did not.
struct ArchiveState: Equatable {
    /// The timeline as canonical JSON, without times of running.
    let timeline: String
    /// All records of each finished observation.
    let records: [Data]

    /// - Throws: `TestSupport.Failure` where a question is not answered.
    init(_ sandbox: Sandbox) throws {
        let timeline = try sandbox.run("timeline", "--json").expecting(0).object()
        let normalised = Normaliser(folders: [sandbox.folder]).normalised(timeline)
        let data = try JSONSerialization.data(withJSONObject: Self.withoutIDs(normalised), options: [.sortedKeys])
        self.timeline = String(decoding: data, as: UTF8.self)
        records = try Self.observations(timeline).map { id in
            try Self.records(sandbox, at: id)
        }
    }

    /// All pages of a listing, one after the other.
    private static func records(_ sandbox: Sandbox, at id: Int) throws -> Data {
        var all = Data()
        var cursor: String?
        repeat {
            let more = cursor.map { ["--after", $0] } ?? []
            let page = try sandbox.run(["records", "--at", "\(id)", "--limit", "100000", "--json"] + more).expecting(0)
                .output
            all += page
            let last = try page.split(separator: 0x0A).last.map { try JSONSerialization.jsonObject(with: $0) }
            cursor = (last as? [String: Any])?["next"] as? String
        } while cursor != nil
        return all
    }

    /// The ids of the finished observations.
    static func observations(_ timeline: [String: Any]) -> [Int] {
        (timeline["observations"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
    }

    /// An import that failed took an id; those that follow are higher.
    private static func withoutIDs(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]: object.filter { $0.key != "id" }.mapValues { withoutIDs($0) }
        case let list as [Any]: list.map { withoutIDs($0) }
        default: value
        }
    }
}
