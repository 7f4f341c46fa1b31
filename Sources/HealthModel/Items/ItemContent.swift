package import Basics

/// A record's value: what kind it is, and the number or text.
package enum ItemValue: Equatable, Sendable {
    case absent
    /// A number with its lexical form in the export.
    case number(Double, lexicalForm: String)
    case text(String)

    /// The `value kind` of the strict key.
    package var kind: String {
        switch self {
        case .absent: "none"
        case .number: "number"
        case .text: "text"
        }
    }

    /// The canonical value of the strict key.
    package var canonical: JSON {
        switch self {
        case .absent: .null
        case .number(let number, _): .double(number)
        case .text(let text): .string(text)
        }
    }

    package init(attribute: String?) {
        guard let text = attribute else {
            self = .absent
            return
        }
        let number = text.withByteView { CanonicalNumber($0) }
        self = number.map { .number($0.value, lexicalForm: text) } ?? .text(text)
    }
}

/// An item with its identity and version, as the archive stores it.
package struct ItemContent: Sendable {
    package var kind: ItemKind
    package var sampleType: String
    /// Unix seconds; nil where the kind has no such date.
    package var start: Int64?
    package var end: Int64?
    package var creation: Int64?
    package var value: ItemValue = .absent
    package var unit: String?
    package var sourceName: String?
    package var sourceVersion: String?
    /// The device as printed, pointer included.
    package var deviceText: String?
    /// Canonical JSON object of the metadata; nil without any.
    package var metadata: String?
    /// Canonical JSON object of the payload's further members; nil without any.
    package var extras: String?
    /// Canonical JSON object of what is printed but no part of the payload; nil without any.
    package var volatileFields: String?
    /// Canonical JSON array of the strict key.
    package var strictKey: String
    package var identity: Digest256
    package var version: Digest256
    /// Where the side file that belongs to the item is in the export; nil without any.
    package var filePath: String?
    /// The nested records of this item.
    package var members: [Member] = []

    /// A record in another item, by its type, start and strict key.
    package struct Member: Sendable, Hashable {
        package var sampleType: String
        /// Unix seconds; nil where it has none.
        package var start: Int64?
        package var identity: Digest256
    }
}

extension ItemContent {
    /// An item without source and metadata: its further members are its whole payload.
    ///
    /// - Parameters:
    ///   - instant: its start and end in Unix seconds.
    ///   - key: the fields of its strict key.
    package init(
        kind: ItemKind, sampleType: String, at instant: Int64? = nil, key: [JSON], extras: [(String, JSON)]
    ) {
        let strictKey = JSON.array(key).canonicalText
        let payload = JSON.object(extras).canonicalText
        self.init(
            kind: kind, sampleType: sampleType, start: instant, end: instant, extras: payload, strictKey: strictKey,
            identity: ItemHash.identity(strictKey: strictKey), version: ItemHash.version(payload: payload))
    }
}
