internal import Basics
internal import Foundation
internal import HealthModel

/// Turns tape pages into pages of prepared items: identity, version and everything the archive stores.
final class ItemPreparer {
    let descriptors = DescriptorTable()
    /// The offset of the export: its `ExportDate`'s, else that of the first date met.
    private(set) var exportOffset: Int32?
    private let scratch = ByteBuffer(capacity: 4096)
    /// Metadata of more bytes is hashed where it is instead of being copied before.
    private static let largeMetadata = 1 << 20
    private var metadata: [(key: ByteView, value: ByteView)] = []
    var unknown = UnknownCounts()
    var timeZones = TapeZoneCounts()
    private let types: TypeSelection
    /// The types of items that were met and not taken.
    private(set) var leftOutTypes: Set<ExactText> = []

    init(types: TypeSelection) { self.types = types }

    func prepare(_ tape: TapePage) -> ItemPage {
        let page = ItemPage()
        page.items.reserveCapacity(tape.items.count)
        page.bytePosition = tape.bytePosition
        if let offset = tape.exportOffset { exportOffset = offset }
        for entry in tape.items {
            descriptors.forgetIfFull()
            if entry.overCap == nil, plainRecord(tape, entry, page) { continue }
            general(tape, entry, page)
        }
        page.timeZones = timeZones.take()
        return page
    }

    // MARK: - Plain records

    private func plainRecord(_ tape: TapePage, _ entry: TapePage.Item, _ page: ItemPage) -> Bool {
        var record = RecordView()
        metadata.removeAll(keepingCapacity: true)
        guard record.read(tape.bytes.view[entry.from..<entry.to], metadata: &metadata),
            let typeView = record.type, let startView = record.startDate, let endView = record.endDate,
            let start = Instant(startView), let end = Instant(endView)
        else { return false }
        var creation: Instant?
        if let view = record.creationDate {
            guard let parsed = Instant(view) else { return false }
            creation = parsed
        }
        let offset = exportOffset ?? start.offsetSeconds
        exportOffset = offset
        guard start.offsetSeconds == offset, end.offsetSeconds == offset,
            creation.map({ $0.offsetSeconds == offset }) ?? true
        else { return false }
        if types.selectsSome, !takes(typeView.string) { return true }

        var item = PreparedItem()
        item.place = entry.place
        item.start = start.seconds
        item.end = end.seconds
        if let creation { item.creation = creation.seconds }
        item.type = descriptors.type(typeView, page: page)
        item.descriptor = descriptors.descriptor(
            unit: record.unit, sourceName: record.sourceName, sourceVersion: record.sourceVersion,
            device: record.device, page: page)
        hashKey(of: record, into: &item, page)
        hashPayload(into: &item, page)
        page.items.append(item)
        return true
    }

    /// Writes `["type",start,end,"kind",value,unit]` and takes its hash.
    @inline(__always)
    private func hashKey(of record: RecordView, into item: inout PreparedItem, _ page: ItemPage) {
        scratch.removeAll()
        scratch.append(ItemHash.identityPrefix)
        scratch.append(0x5B)
        scratch.append(descriptors.typeLiteral(item.type))
        scratch.append(0x2C)
        scratch.append(decimal: item.start)
        scratch.append(0x2C)
        scratch.append(decimal: item.end)
        if let value = record.value {
            if let number = CanonicalNumber(value) {
                item.valueKind = .number
                item.number = number.value
                scratch.append(",\"number\",")
                let from = scratch.count
                number.append(to: scratch)
                if scratch.view[from...] != value { item.text = copy(value, page) }
            } else {
                item.valueKind = .text
                item.text = copy(value, page)
                scratch.append(",\"text\",")
                scratch.append(json: value)
            }
        } else {
            scratch.append(",\"none\",null")
        }
        scratch.append(0x2C)
        scratch.append(descriptors.view(descriptors.fragments(item.descriptor).unit))
        scratch.append(0x5D)
        item.identity = Digest256(hashing: scratch.view)
    }

    /// Writes the payload's canonical JSON and takes its hash; the members are sorted as RFC 8785 sorts them.
    @inline(__always)
    private func hashPayload(into item: inout PreparedItem, _ page: ItemPage) {
        if !metadata.isEmpty { item.metadata = storeMetadata(page) }
        scratch.removeAll()
        scratch.append(ItemHash.versionPrefix)
        scratch.append(0x7B)
        var first = true
        func separate() {
            if !first { scratch.append(0x2C) }
            first = false
        }
        if item.creation != PreparedItem.absentTime {
            separate()
            scratch.append("\"creationDate\":")
            scratch.append(decimal: item.creation)
        }
        let fragments = descriptors.fragments(item.descriptor)
        if fragments.device.count > 0 {
            separate()
            scratch.append(descriptors.view(fragments.device))
        }
        var begun: SHA256?
        if !item.metadata.isAbsent {
            separate()
            scratch.append("\"metadata\":")
            let view = page.view(item.metadata)
            if view.count > Self.largeMetadata {
                begun = SHA256()
                begun?.update(scratch.view)
                begun?.update(view)
                scratch.removeAll()
            } else {
                scratch.append(view)
            }
        }
        if fragments.source.count > 0 {
            separate()
            scratch.append(descriptors.view(fragments.source))
        }
        scratch.append(0x7D)
        begun?.update(scratch.view)
        item.version = begun?.finalize() ?? Digest256(hashing: scratch.view)
    }

    private func storeMetadata(_ page: ItemPage) -> ByteSlice {
        let offset = page.arena.count
        for entry in metadata { timeZones.note(key: entry.key, value: entry.value) }
        sortMetadata()
        if zip(metadata, metadata.dropFirst()).contains(where: { $0.key == $1.key }) {
            let entries = metadata.map { (key: $0.key.string, value: $0.value.string) }
            if let json = MetadataJSON.canonical(entries) { page.arena.append(json, .canonical) }
        } else {
            page.arena.append(0x7B)
            for (index, entry) in metadata.enumerated() {
                if index > 0 { page.arena.append(0x2C) }
                page.arena.append(json: entry.key)
                page.arena.append(0x3A)
                page.arena.append(json: entry.value)
            }
            page.arena.append(0x7D)
        }
        return page.arena.slice(from: offset)
    }

    /// Insertion sort for the few entries of a record; the general one for hostile numbers of them.
    private func sortMetadata() {
        guard metadata.count <= 16 else {
            metadata.sort { ByteView.utf16Less($0.key, $1.key) }
            return
        }
        for i in 1..<metadata.count {
            var j = i
            while j > 0, ByteView.utf16Less(metadata[j].key, metadata[j - 1].key) {
                metadata.swapAt(j, j - 1)
                j -= 1
            }
        }
    }

    private func copy(_ view: ByteView, _ page: ItemPage) -> ByteSlice {
        let offset = page.arena.count
        page.arena.append(view)
        return page.arena.slice(from: offset)
    }

    // MARK: - Everything else

    private func general(_ tape: TapePage, _ entry: TapePage.Item, _ page: ItemPage) {
        var reader = TapeReader(tape, entry)
        guard let element = reader.element() else { return }
        if entry.overCap == nil { count(unknownIn: element) }
        if exportOffset == nil, let date = element["startDate"].flatMap({ Instant($0) }) {
            exportOffset = date.offsetSeconds
        }
        let rules = ItemRules(exportOffset: exportOffset)
        if element.name == "Me" {
            prepareCharacteristics(of: element, rules, entry, page)
        } else {
            take(rules.apply(to: element), entry, page)
        }
    }

    private func prepareCharacteristics(
        of element: ItemElement, _ rules: ItemRules, _ entry: TapePage.Item, _ page: ItemPage
    ) {
        for (name, value) in element.attributes {
            append(rules.characteristic(name: name, value: value), entry, page)
        }
        if element.overCap != nil {
            take(rules.apply(to: element), entry, page)
            return
        }
        // What `Me` holds beside attributes is kept as an unknown element of its own.
        guard !element.children.isEmpty || !element.text.isEmpty else { return }
        let rest = ItemElement(name: "Me")
        rest.children = element.children
        rest.text = element.text
        take(rules.apply(to: rest), entry, page)
    }

    /// Hands on what became of one element.
    private func take(_ outcome: ItemRules.Outcome, _ entry: TapePage.Item, _ page: ItemPage) {
        for (broken, sampleType, reason) in outcome.quarantined where takes(sampleType) {
            quarantine(broken, sampleType, reason, entry, page)
        }
        let isTaken = outcome.item.map { append($0, entry, page) } ?? false
        for route in outcome.routes { append(route, entry, page, isInItem: isTaken) }
        for record in outcome.nestedRecords where takes(record.sampleType) {
            page.nested.append(prepared(record, entry, page))
        }
    }

    /// Whether a type is taken; one that is not is noted.
    private func takes(_ type: String?) -> Bool {
        if types.includes(type) { return true }
        // One more than an export may have is enough to refuse it.
        if let type, leftOutTypes.count <= ExportReading.Limits.types { leftOutTypes.insert(ExactText(type)) }
        return false
    }

    /// Appends an item where its type is taken; returns whether it is.
    ///
    /// - Parameter isInItem: whether a route stands in the last item of the page that is no route.
    @discardableResult
    private func append(
        _ item: ItemContent, _ entry: TapePage.Item, _ page: ItemPage, isInItem: Bool = false
    ) -> Bool {
        guard takes(item.sampleType) else { return false }
        timeZones.note(metadata: item.metadata)
        page.items.append(prepared(item, entry, page, isInItem: isInItem))
        return true
    }

    /// An ECG or another item that is not in the XML.
    func page(with items: [ItemContent]) -> ItemPage {
        let page = ItemPage()
        let nowhere = TapePage.Item(from: 0, to: 0, place: .none, overCap: nil)
        for item in items { append(item, nowhere, page) }
        return page
    }
}
