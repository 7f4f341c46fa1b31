package import Basics

/// One item ready for the archive, without anything that needs reference counting.
package struct PreparedItem: Sendable {
    /// What `number` and `text` hold.
    package enum ValueKind: UInt8, Sendable {
        case absent, number, text
    }

    package static let absentTime = Int64.min

    package var kind: ItemKind = .record
    package var valueKind = ValueKind.absent
    /// The number of the sample type in this import, defined in some page's `newTypes`.
    package var type: Int32 = 0
    /// The number of the descriptor in this import, defined in some page's `newDescriptors`.
    package var descriptor: Int32 = 0
    /// Unix seconds, or `absentTime`.
    package var start = PreparedItem.absentTime
    package var end = PreparedItem.absentTime
    package var creation = PreparedItem.absentTime
    package var number: Double = 0
    /// The value's text, or the number's lexical form where that is not the canonical one.
    package var text = ByteSlice.absent
    package var metadata = ByteSlice.absent
    package var extras = ByteSlice.absent
    package var volatileFields = ByteSlice.absent
    /// Absent for records, whose strict key follows from the other fields.
    package var strictKey = ByteSlice.absent
    package var identity = Digest256()
    package var version = Digest256()
    /// Index into the page's `details`, or -1.
    package var detail: Int32 = -1
    /// Where the item is in the XML; one inside another is where the outer one is.
    package var place = XMLPlace.none

    package init() {}

    /// The start in Unix seconds; nil where the item has none.
    @inline(__always)
    package var startDate: Int64? { start == Self.absentTime ? nil : start }

    /// The end in Unix seconds; nil where the item has none.
    @inline(__always)
    package var endDate: Int64? { end == Self.absentTime ? nil : end }

    /// The value where it is a number.
    @inline(__always)
    package var numericValue: Double? { valueKind == .number ? number : nil }
}

/// What many items share: unit, source and device.
package struct Descriptor: Sendable, Hashable {
    package var unit: String?
    package var sourceName: String?
    package var sourceVersion: String?
    /// Canonical JSON of the device's compared fields.
    package var device: String?
    /// The device as printed where it was first seen.
    package var deviceText: String?

    package init(
        unit: String? = nil, sourceName: String? = nil, sourceVersion: String? = nil, deviceText: String? = nil
    ) {
        self.unit = unit
        self.sourceName = sourceName
        self.sourceVersion = sourceVersion
        self.deviceText = deviceText
        device = deviceText.map { Device($0).canonicalJSON.canonicalText }
    }
}

/// What only some items have.
package struct ItemDetail: Sendable {
    package var members: [ItemContent.Member] = []
    package var filePath: String?
    /// Whether a route stands in the last item before it in the page that is no route.
    package var isInItem = false

    package init() {}
}

/// An item that could not be stored as a sample.
package struct QuarantinedItem: Sendable {
    package var reason: QuarantineReason
    package var sampleType: String?
    package var place: XMLPlace
    /// The element as XML, cut at 64 KiB.
    package var text: String

    package init(reason: QuarantineReason, sampleType: String?, place: XMLPlace, text: String) {
        self.reason = reason
        self.sampleType = sampleType
        self.place = place
        self.text = text.utf8.count > 65_536 ? String(decoding: text.utf8.prefix(65_536), as: UTF8.self) + "…" : text
    }
}

/// A bounded batch of items on their way from the reader to the archive; the whole contract between the two.
///
/// `@unchecked Sendable`: a page has one owner at a time and is handed on through a queue.
package final class ItemPage: @unchecked Sendable {
    package var items: [PreparedItem] = []
    /// Records nested in other items, which count only where no equal top-level record exists.
    package var nested: [PreparedItem] = []
    package var details: [ItemDetail] = []
    package var quarantined: [QuarantinedItem] = []
    package var newTypes: [(number: Int32, identifier: String)] = []
    package var newDescriptors: [(number: Int32, descriptor: Descriptor)] = []
    /// How many items of the page name a zone as their `HKTimeZone`.
    package var timeZones: [(name: String, count: Int64)] = []
    /// Bytes that the items' slices point into.
    package let arena = ByteBuffer(capacity: 1 << 16)
    /// How far into the XML the page reaches, for progress.
    package var bytePosition: Int64 = 0

    package init() {}

    @inline(__always)
    package func view(_ slice: ByteSlice) -> ByteView { arena.view(slice) }

    /// Copies a text into the arena.
    package func store(_ text: String?) -> ByteSlice {
        guard let text else { return .absent }
        let offset = arena.count
        arena.append(text)
        return arena.slice(from: offset)
    }
}
