internal import Archive
internal import HealthModel

/// What was written, by sample type, and what is known to trouble tools that read it.
struct ExportTally {
    /// Counts of one sample type.
    struct TypeCounts {
        var count: Int64 = 0
        /// Records without a creation date.
        var withoutCreationDate: Int64 = 0
        /// Values that are words, as categories have them.
        var textValues: Int64 = 0
        /// Samples longer than `longSeconds`.
        var long: Int64 = 0
        /// Samples that end before they start.
        var reversed: Int64 = 0
        var isRecord = true

        /// Adds the counts of another type that is printed under the same name.
        mutating func add(_ other: TypeCounts) {
            count += other.count
            withoutCreationDate += other.withoutCreationDate
            textValues += other.textValues
            long += other.long
            reversed += other.reversed
            isRecord = isRecord && other.isRecord
        }
    }

    /// Four days: what lasts longer is passed over by a known importer.
    static let longSeconds: Int64 = 345_600

    private(set) var types: [Int64: TypeCounts] = [:]
    private var lastType: Int64 = -1
    private var last = TypeCounts()
    /// What the provenance profile left out or blanked, by name.
    var leftOut: [String: Int64] = [:]
    /// ECGs that are not in a file without a zip.
    private(set) var withoutZip: Int64 = 0
    /// The state as stored.
    private(set) var state = StateDigest()
    /// What a reader of the written files will have.
    private(set) var stream = StateDigest()

    /// Counts one copy.
    ///
    /// - Parameter isZip: whether side files are written too; without them a route has no track.
    @inline(__always)
    mutating func add(_ scan: VersionCursor, _ kind: ItemKind, isZip: Bool) throws {
        let (type, identity, version) = try (scan.typeID, scan.identity, scan.version)
        if type != lastType { turn(to: type) }
        last.count += 1
        state.add(identity, version)
        if kind != .record {
            last.isRecord = false
            stream.add(identity, isZip ? version : try scan.versionWithoutTrack ?? version)
        } else {
            stream.add(identity, version)
            if try scan.creation == nil { last.withoutCreationDate += 1 }
            if case .text = try scan.value { last.textValues += 1 }
        }
        guard let start = try scan.start, let end = try scan.end else { return }
        if end - start > Self.longSeconds { last.long += 1 }
        if end < start { last.reversed += 1 }
    }

    /// Counts one copy that the provenance profile leaves out.
    mutating func leave(_ scan: VersionCursor, as what: String) throws {
        state.add(try scan.identity, try scan.version)
        leftOut[what, default: 0] += 1
    }

    /// Counts one ECG, which is a file of its own, where there is no zip to hold it.
    mutating func leaveElectrocardiogram(_ scan: VersionCursor) throws {
        state.add(try scan.identity, try scan.version)
        withoutZip += 1
    }

    private mutating func turn(to type: Int64) {
        finish()
        last = types[type] ?? TypeCounts()
        lastType = type
    }

    /// The counts by printed name in byte order; types that are printed under one name have one row.
    func counts(_ name: (Int64) throws -> String) rethrows -> [(type: String, counts: TypeCounts)] {
        var merged: [ExactText: TypeCounts] = [:]
        for (type, counts) in types {
            let printed = ExactText(try name(type))
            if merged[printed]?.add(counts) == nil { merged[printed] = counts }
        }
        return merged.sorted { $0.key < $1.key }.map { (type: $0.key.text, counts: $0.value) }
    }

    /// Brings `types` up to date.
    mutating func finish() {
        if lastType >= 0 { types[lastType] = last }
    }
}
