internal import Basics
internal import HealthModel
internal import Questions
internal import Store

/// A visible record that may belong to a workout, with what the archive says of it.
struct FoundRecord {
    var type: SeriesType
    /// As it is printed; its value in the unit of its series.
    var reading: Reading
    var rowID: Int64
    var sampleID: Int64
    var identity: Digest256
    /// Folded.
    var source: String
    var device: SourceKind
    /// The UUID in the condenser's identifier.
    var uuid: String?
}

/// Reads the records of series types around workouts, and leaves out what cannot be used.
final class CandidateReader {
    /// What metadata say, once for all records that share them.
    private struct Marks {
        var isUserEntered = false
        var condenser: CondenserIdentifier?
    }

    /// A record that overlaps the window and cannot be used.
    struct LeftOut {
        var type: SeriesType
        var interval: Interval
        var label: Label
    }

    private let snapshot: Snapshot
    private let set: RecordSet
    private let units: UnitConverter
    private let facts: DescriptorFacts
    private let typeIDs: [String: Int64]
    private var marks: [Int64: Marks] = [:]
    private var sweeps: [SeriesType: CandidateSweep] = [:]
    private var lookup: VersionCursor?

    init(_ snapshot: Snapshot, _ set: RecordSet, _ units: UnitConverter, _ facts: DescriptorFacts) throws {
        (self.snapshot, self.set, self.units, self.facts) = (snapshot, set, units, facts)
        typeIDs = try snapshot.sampleTypeIDs()
    }

    /// The records of some types that overlap a window, each type in the order of readings.
    func records(of types: [SeriesType], within window: Interval) throws -> (
        usable: [FoundRecord], left: [LeftOut]
    ) {
        var found: [FoundRecord] = []
        var left: [LeftOut] = []
        let (since, until) = (Int64(window.start.rounded(.down)), Int64(window.end.rounded(.up)))
        for type in types {
            guard let sweep = sweep(type) else { continue }
            try sweep.forEach(since: since, until: until) { interval, content in
                switch content {
                case .usable(let record): found.append(record)
                case .left(let label): left.append(LeftOut(type: type, interval: interval, label: label))
                case .nothing: break
                }
            }
        }
        return (found, left)
    }

    /// The sweep over a type; nil where the archive has none of it.
    private func sweep(_ type: SeriesType) -> CandidateSweep? {
        if let known = sweeps[type] { return known }
        guard let id = typeIDs[type.rawValue] else { return nil }
        let sweep = CandidateSweep(snapshot, set, type: id) { [unowned self] in try content(of: $0, type) }
        sweeps[type] = sweep
        return sweep
    }

    /// One record by its row, with the source of the record that it stands for; nil where it cannot be used.
    func record(_ row: Int64, _ type: SeriesType, standingFor other: FoundRecord) throws -> FoundRecord? {
        let cursor = try lookup ?? VersionCursor(snapshot.db)
        lookup = cursor
        try cursor.seek(row)
        defer { cursor.reset() }
        guard case .usable(var record) = try content(of: cursor, type) else { return nil }
        record.source = other.source
        return record
    }

    private func content(of row: VersionCursor, _ type: SeriesType) throws -> CandidateSweep.Content {
        guard let start = try row.start else { return .nothing }
        let end = try row.end ?? start
        let marks = try marks(of: row)
        if marks.isUserEntered { return .nothing }
        if end < start { return .left(.invalidInterval) }
        guard let printed = try row.number, printed.isFinite else {
            return type == .heartRate ? .left(.implausibleHeartRate) : .nothing
        }
        let origin = try facts[row.descriptorID]
        guard let unit = origin.unit, let value = units.convert(printed, from: unit, to: type.unit) else {
            return .left(.unitUnknown)
        }
        if type == .heartRate, value <= 0 || value > 300 { return .left(.implausibleHeartRate) }
        if type.isCumulative, value < 0 { return .left(.negativeValue) }
        return try .usable(
            FoundRecord(
                type: type,
                reading: Reading(
                    Double(start), Double(end), value, isCondensed: marks.condenser != nil,
                    declaredCount: marks.condenser.map { Int64($0.count) }),
                rowID: row.rowID, sampleID: row.sampleID, identity: row.identity, source: origin.foldedName,
                device: origin.kind, uuid: marks.condenser?.workout.uppercased()))
    }

    private func marks(of row: VersionCursor) throws -> Marks {
        switch try row.metadata {
        case .absent: return Marks()
        case .own(let json): return Self.marks(json.string)
        case .shared(let id):
            if let known = marks[id] { return known }
            let found = Self.marks(try snapshot.names.metadata(id))
            marks[id] = found
            return found
        }
    }

    private static func marks(_ metadata: String) -> Marks {
        guard metadata.holds("\"HKWasUserEntered\":") || metadata.holds("\"HKMetadataKeySyncIdentifier\":"),
            let json = JSON.parse(metadata)
        else { return Marks() }
        return Marks(
            isUserEntered: json.isUserEntered,
            condenser: json["HKMetadataKeySyncIdentifier"]?.string.flatMap { CondenserIdentifier($0) })
    }
}
