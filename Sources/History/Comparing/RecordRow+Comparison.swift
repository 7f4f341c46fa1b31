internal import Basics
internal import HealthModel
package import Store

/// What a comparison looks at.
extension RecordRow {
    /// The identifiers that a source gives its own objects, each kind without repetitions in ascending order of bytes.
    struct StableIdentifiers {
        var sync: [String] = []
        var external: [String] = []
        var activity: [String] = []
    }

    /// Read from the metadata and the children; a condenser's sync identifier names a group, not an object.
    var stableIdentifiers: StableIdentifiers {
        var found = StableIdentifiers()
        if let metadata {
            if metadata.holds("\"HKMetadataKeySyncIdentifier\":") {
                found.sync = CanonicalMembers.strings(metadata, "HKMetadataKeySyncIdentifier").filter {
                    !CondenserIdentifier.matches($0)
                }
            }
            if metadata.holds("\"HKExternalUUID\":") {
                found.external = CanonicalMembers.strings(metadata, "HKExternalUUID")
            }
        }
        if let extras, extras.holds("\"WorkoutActivity\"") {
            found.activity = CanonicalMembers.activityUUIDs(extras)
        }
        return found
    }

    /// A number that is equal for equal creation dates: the instant; for a date that is no instant one made of its text,
    /// far beyond all instants; `absentCreation` without one.
    var creationKey: Int64 {
        if let creation { return creation }
        guard let extras, extras.holds("\"creationDate\":"), let text = CanonicalMembers.creationText(extras)
        else {
            return Self.absentCreation
        }
        return Int64(bitPattern: Digest256(hashing: text).a >> 2 | 1 << 62)
    }

    /// The key of a creation date that is not there.
    static let absentCreation = Int64.min

    /// The names of the fields in which another record version differs, in a fixed order.
    package func changedFields(to other: RecordRow) -> [String] {
        var names: [String] = []
        if descriptor.sourceID != other.descriptor.sourceID { names.append("sourceName") }
        if !Self.same(sourceVersion, other.sourceVersion) { names.append("sourceVersion") }
        if descriptor.deviceID != other.descriptor.deviceID { names.append("device") }
        if creationKey != other.creationKey { names.append("creationDate") }
        if !Self.same(metadata, other.metadata) { names.append("metadata") }
        if start != other.start { names.append("startDate") }
        if end != other.end { names.append("endDate") }
        if !isValueEqual(to: other) { names.append("value") }
        if descriptor.unitID != other.descriptor.unitID { names.append("unit") }
        var rest: [String] = []
        if !Self.same(strictKey, other.strictKey),
            CanonicalMembers.texts(strictKey) != CanonicalMembers.texts(other.strictKey)
        {
            rest.append("attributes")
        }
        if !Self.same(extras, other.extras) {
            rest += CanonicalMembers.differing(extras ?? "{}", other.extras ?? "{}")
        }
        for name in rest where !names.contains(name) { names.append(name) }
        return names
    }

    private func isValueEqual(to other: RecordRow) -> Bool {
        switch (value, other.value) {
        case (.absent, .absent): true
        case (.number(let a), .number(let b)): a == b
        case (.text(let a), .text(let b)): Self.same(a, b)
        default: false
        }
    }

    private static func same(_ a: String?, _ b: String?) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (let a?, let b?): a.hasBytes(of: b)
        default: false
        }
    }
}
