package import Basics

/// What an item has beside the columns of a record, decoded from what the archive stores of it, in the export's own names.
package struct StoredItem: Sendable {
    package typealias Members = [(name: String, value: JSON)]

    package let kind: ItemKind
    /// The name of its element; nil for what is none, characteristics and ECGs.
    package let element: String?
    /// The strict key as attributes, in the table's order; an integer is an instant. Absent ones are left out.
    package let keyAttributes: Members
    /// The payload's attributes; an integer is an instant.
    package private(set) var attributes: Members = []
    /// A creation date that is no instant.
    package private(set) var creationText: String?
    /// The payload's further members as they are stored: `beats`, `children`, `samples`, `text`.
    package private(set) var members: Members = []
    /// The sample type that follows from the strict key; nil for records, whose key is in columns.
    package let sampleType: String?
    /// Of a route, activity, start and end of its workout as attributes; an integer is an instant. Absent ones are left out.
    package let workoutKey: Members
    /// The instants of the strict key: start and end, as far as the kind has them.
    package let instants: [Int64]

    /// Decodes what is stored.
    ///
    /// - Parameters:
    ///   - strictKey: a canonical JSON array; nil for records.
    ///   - extras: a canonical JSON object; nil without any.
    /// - Returns: nil where they cannot be read, or are not of this kind's form.
    package init?(kind: ItemKind, strictKey: ByteView?, extras: ByteView?) {
        var key: [JSON] = []
        if let strictKey {
            guard case .array(let fields)? = JSON.parse(strictKey) else { return nil }
            key = fields
        }
        guard (strictKey == nil) == (kind == .record), key.count == kind.keyFieldCount else { return nil }
        self.kind = kind
        let ownKey = kind == .workoutRoute ? Array(key.dropFirst(ItemKind.workout.keyAttributes.count)) : key
        workoutKey = kind == .workoutRoute ? Self.members(ItemKind.workout, key) : []
        instants = ownKey.compactMap(\.int)
        switch kind {
        case .unknown:
            guard let name = key[0].string, case .object(let found) = key[1] else { return nil }
            element = name
            keyAttributes = found.map { ($0.0, $0.1) }
            sampleType = SampleType.elementPrefix + name
        case .characteristic:
            element = nil
            keyAttributes = []
            sampleType = key[0].string
        case .electrocardiogram:
            element = nil
            keyAttributes = [("recordedDate", key[0])]
            sampleType = SampleType.electrocardiogram
        default:
            element = kind.element
            // A correlation's fourth field is one of its metadata entries.
            keyAttributes = Self.members(kind, ownKey)
            sampleType = SampleType.of(kind, type: key.first?.string)
        }
        guard let extras else { return }
        guard case .object(let found)? = JSON.parse(extras) else { return nil }
        for (name, value) in found {
            switch (name, value) {
            case ("attributes", .object(let more)): attributes = more.map { ($0.0, $0.1) }
            case ("creationDate", .string(let text)): creationText = text
            default: members.append((name, value))
            }
        }
    }

    /// The fields of a strict key by the names of their attributes, without absent ones.
    private static func members(_ kind: ItemKind, _ key: [JSON]) -> Members {
        zip(kind.keyAttributes, key).compactMap { name, field in
            if case .null = field { nil } else { (name, field) }
        }
    }

    /// The first of the payload's further members of this name.
    package subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    /// A characteristic's value, which the export prints as an attribute of `Me`.
    package var value: JSON? {
        kind == .characteristic ? attributes.first { $0.name == "value" }?.value : nil
    }

    /// Where a clinical record's file is.
    package var resourceFilePath: String? { attributes.first { $0.name == "resourceFilePath" }?.value.string }

    /// All that the element's tag has but its source, dates of creation and, of records, the columns: nothing for a
    /// characteristic, which is one attribute itself.
    package var shownAttributes: Members { kind == .characteristic ? [] : keyAttributes + attributes }
}
