internal import GRDB
internal import HealthModel
internal import Store

/// What the records of one type's groups say together: the median lengths of constituents and replacements, and the counts
/// and sums of each source revision (name and version of what wrote them).
/// - Complexity: memory for each length in whole seconds and for each source revision that occurs.
struct MemberStatistics {
    private struct Entry {
        var revision: Revision
        var before: (count: Int64, sum: ExactSum) = (0, ExactSum())
        var after: (count: Int64, sum: ExactSum) = (0, ExactSum())
    }

    private struct Revision: Hashable {
        var name: ExactText?
        var version: ExactText?
    }

    /// At most so many revisions are named; only a hostile export has more.
    private static let maximum = 1_000

    private let descriptor: PreparedStatement
    private var lengths: (before: [Int64: Int64], after: [Int64: Int64]) = ([:], [:])
    private var entries: [Entry] = []
    private var places: [Revision: Int] = [:]
    private var known: [Int64: Int] = [:]

    init(_ db: Database) throws {
        descriptor = try PreparedStatement(
            db,
            """
            SELECT s.name, d.source_version FROM descriptors d LEFT JOIN sources s ON s.id = d.source_id WHERE d.id = ?
            """)
    }

    /// Adds a record: a constituent (before) or a replacement.
    mutating func add(_ value: Double, length: Int64, isBefore: Bool, descriptor id: Int64) throws {
        let place = try place(id)
        if isBefore {
            lengths.before[length, default: 0] += 1
            entries[place].before.count += 1
            entries[place].before.sum.add(value)
        } else {
            lengths.after[length, default: 0] += 1
            entries[place].after.count += 1
            entries[place].after.sum.add(value)
        }
    }

    private mutating func place(_ id: Int64) throws -> Int {
        if let place = known[id] { return place }
        descriptor.bind(1, id)
        defer { descriptor.reset() }
        var revision = Revision()
        if try descriptor.step() {
            revision.name = descriptor.text(0).map(ExactText.init(_:))
            revision.version = descriptor.text(1).map(ExactText.init(_:))
        }
        let place = places[revision] ?? entries.count
        if place == entries.count { entries.append(Entry(revision: revision)) }
        places[revision] = place
        known[id] = place
        return place
    }

    /// The median length of the constituents in seconds; nil where there are none.
    var medianBefore: Double? { Self.median(lengths.before) }
    var medianAfter: Double? { Self.median(lengths.after) }

    /// The median of values of which each occurs as often as it says.
    private static func median(_ counts: [Int64: Int64]) -> Double? {
        let total = counts.values.reduce(0, +)
        guard total > 0 else { return nil }
        let sorted = counts.sorted { $0.key < $1.key }
        func value(at index: Int64) -> Double {
            var passed: Int64 = 0
            let entry = sorted.first { entry in
                passed += entry.value
                return passed > index
            }
            return Double(entry?.key ?? 0)
        }
        return (value(at: (total - 1) / 2) + value(at: total / 2)) / 2
    }

    /// The revisions by name and version, those without one first.
    var revisions: [ConsolidationVerdict.SourceRevision] {
        func precedes(_ first: ExactText?, _ second: ExactText?) -> Bool {
            guard let second else { return false }
            return first.map { $0 < second } ?? true
        }
        return entries.sorted {
            let (first, second) = ($0.revision, $1.revision)
            return first.name != second.name
                ? precedes(first.name, second.name) : precedes(first.version, second.version)
        }.prefix(Self.maximum).map {
            ConsolidationVerdict.SourceRevision(
                sourceName: $0.revision.name?.text, sourceVersion: $0.revision.version?.text,
                countBefore: $0.before.count, countAfter: $0.after.count, sumBefore: $0.before.sum.value,
                sumAfter: $0.after.sum.value)
        }
    }
}
