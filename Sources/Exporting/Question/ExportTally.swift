internal import HealthModel
internal import Store

/// What an export counted on its way: items, what was left out, and the digests of what a reader will have.
struct ExportTally {
    /// Counts of one sample type, and what is known to trouble tools that read its samples.
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

        /// Counts one row.
        mutating func add(_ row: HeldVersion) {
            count += 1
            if row.kind == .record {
                if row.creation == nil { withoutCreationDate += 1 }
                if case .text = row.value { textValues += 1 }
            } else {
                isRecord = false
            }
            guard let start = row.start, let end = row.end else { return }
            if end - start > ExportTally.longSeconds { long += 1 }
            if end < start { reversed += 1 }
        }
    }

    /// Four days: what lasts longer is passed over by a known importer.
    static let longSeconds: Int64 = 345_600

    /// Items by type as it is printed.
    private(set) var types: [ExactText: TypeCounts] = [:]
    /// Items by role.
    var roles: [ItemRole: Int64] = [:]
    /// What the provenance profile left out or blanked: name and count.
    private(set) var leftOut: [String: Int64] = [:]
    /// ECGs that are not in a file without a zip.
    private(set) var withoutZip: Int64 = 0
    /// What a reader finds otherwise: records that are written inside of another item alone are further items to it, and a
    /// route that is written outside of its workout has another identity.
    private(set) var nestedAlone: Int64 = 0
    /// The state as stored.
    private(set) var state = StateDigest()
    /// What a reader of the written files will have.
    private(set) var stream = StateDigest()

    mutating func add(type: String, _ counts: TypeCounts) {
        let name = ExactText(type)
        if types[name]?.add(counts) == nil { types[name] = counts }
    }

    mutating func add(type: String, count: Int64 = 1) { add(type: type, TypeCounts(count: count)) }

    mutating func leave(_ what: String, count: Int64 = 1) { if count > 0 { leftOut[what, default: 0] += count } }

    /// Adds one row of a Health export to the digests.
    mutating func addDigests(_ row: HeldVersion) {
        state.add(row.identity, row.version)
        stream.add(row.identity, row.version)
    }

    /// Counts one record that is written inside of another item alone.
    mutating func addNested(_ row: HeldVersion) {
        nestedAlone += 1
        stream.add(row.identity, row.version)
    }

    /// Counts one route that is written outside of its workout.
    mutating func addAlone() { nestedAlone += 1 }

    /// Counts one row that the provenance profile leaves out.
    mutating func leave(_ row: HeldVersion, as what: String) {
        state.add(row.identity, row.version)
        leave(what)
    }

    /// Counts one ECG, which is a file of its own, where there is no zip to hold it.
    mutating func leaveElectrocardiogram(_ row: HeldVersion) {
        state.add(row.identity, row.version)
        withoutZip += 1
    }

    /// The counts by printed type, in byte order.
    var sortedTypes: [(type: String, counts: TypeCounts)] {
        types.sorted { $0.key < $1.key }.map { (type: $0.key.text, counts: $0.value) }
    }

    /// What was left out, by name.
    var sortedLeftOut: [(name: String, count: Int64)] {
        leftOut.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
    }
}
