internal import Analysis
internal import ArchiveComparing
internal import ArchiveReading
internal import ArchiveRows
internal import HealthMetrics
internal import HealthModel
internal import TextFormats

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
    /// What a descriptor says, once for all its records.
    private struct Origin {
        var source: String
        var device: SourceKind
        var unit: String?
    }

    /// What metadata say, once for all records that share them.
    private struct Marks {
        var isUserEntered = false
        var condenser: CondenserIdentifier?
    }

    private let snapshot: Snapshot
    private let set: RecordSet
    private let units: UnitConverter
    private let typeIDs: [String: Int64]
    private var origins: [Int64: Origin] = [:]
    private var marks: [Int64: Marks] = [:]
    private var cursors: [Int64: VersionCursor] = [:]
    private var lookup: VersionCursor?

    init(_ snapshot: Snapshot, _ set: RecordSet, _ units: UnitConverter) throws {
        (self.snapshot, self.set, self.units) = (snapshot, set, units)
        typeIDs = Dictionary(
            try snapshot.sampleTypes().map { ($0.identifier, $0.id) }, uniquingKeysWith: { first, _ in first })
    }

    /// The usable records of some types that overlap a window, in the order of readings, and why others were left out.
    func records(of types: [SeriesType], within window: Interval, noting labels: inout [Label: [Interval]]) throws
        -> [FoundRecord]
    {
        var found: [FoundRecord] = []
        for type in types {
            guard let id = typeIDs[type.rawValue] else { continue }
            let rows = try VersionCursor.overlapping(
                snapshot.db, of: set, type: id, since: Int64(window.start.rounded(.down)),
                until: Int64(window.end.rounded(.up)))
            while try rows.next() {
                if let record = try record(rows, type, noting: &labels) { found.append(record) }
            }
        }
        return found
    }

    /// One record by its row, with the source of the record that it stands for; nil where it cannot be used.
    func record(_ row: Int64, _ type: SeriesType, standingFor other: FoundRecord) throws -> FoundRecord? {
        let cursor = try lookup ?? VersionCursor(snapshot.db)
        lookup = cursor
        try cursor.seek(row)
        defer { cursor.reset() }
        var labels: [Label: [Interval]] = [:]
        var record = try record(cursor, type, noting: &labels)
        record?.source = other.source
        return record
    }

    private func record(
        _ row: VersionCursor, _ type: SeriesType, noting labels: inout [Label: [Interval]]
    ) throws -> FoundRecord? {
        guard let start = try row.start, let end = try row.end ?? row.start else { return nil }
        let interval = Interval(Double(start), Double(end))
        func leave(_ label: Label) -> FoundRecord? {
            labels[label, default: []].append(interval)
            return nil
        }
        let origin = try origin(row.descriptorID)
        let marks = try marks(of: row)
        if marks.isUserEntered { return nil }
        if end < start { return leave(.invalidInterval) }
        guard let printed = try row.number else { return type == .heartRate ? leave(.implausibleHeartRate) : nil }
        guard printed.isFinite else { return type == .heartRate ? leave(.implausibleHeartRate) : nil }
        guard let unit = origin.unit, let value = units.convert(printed, from: unit, to: type.unit) else {
            return leave(.unitUnknown)
        }
        if type == .heartRate, value <= 0 || value > 300 { return leave(.implausibleHeartRate) }
        if type.isCumulative, value < 0 { return leave(.negativeValue) }
        return try FoundRecord(
            type: type,
            reading: Reading(
                interval.start, interval.end, value, isCondensed: marks.condenser != nil,
                declaredCount: marks.condenser.map { Int64($0.count) }),
            rowID: row.rowID, sampleID: row.sampleID, identity: row.identity, source: origin.source,
            device: origin.device, uuid: marks.condenser?.workout.uppercased())
    }

    private func origin(_ descriptor: Int64) throws -> Origin {
        if let known = origins[descriptor] { return known }
        let stored = try snapshot.names.descriptor(descriptor)
        let device = stored.device.flatMap { JSON.parse($0) }
        let origin = Origin(
            source: SampleSelection.folded(stored.sourceName ?? ""),
            device: SourceKind(hardware: device?["hardware"]?.string), unit: stored.unit)
        origins[descriptor] = origin
        return origin
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
        let isEntered = metadata.withByteView { $0.firstIndex(of: ByteView("\"HKWasUserEntered\":")) != nil }
        let isSynced = metadata.withByteView { $0.firstIndex(of: ByteView("\"HKMetadataKeySyncIdentifier\":")) != nil }
        guard isEntered || isSynced, let json = JSON.parse(metadata) else { return Marks() }
        return Marks(
            isUserEntered: FactsReader.text(json["HKWasUserEntered"]) == "1",
            condenser: json["HKMetadataKeySyncIdentifier"]?.string.flatMap { CondenserIdentifier($0) })
    }
}
