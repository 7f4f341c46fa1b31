internal import Basics
internal import HealthModel

extension ItemPreparer {
    func prepared(
        _ content: ItemContent, _ entry: TapePage.Item, _ page: ItemPage, isInItem: Bool = false
    ) -> PreparedItem {
        var item = PreparedItem()
        item.kind = content.kind
        item.place = entry.place
        item.type = content.sampleType.withByteView { descriptors.type($0, page: page) }
        item.descriptor = Self.withViews(
            [content.unit, content.sourceName, content.sourceVersion, content.deviceText]
        ) {
            descriptors.descriptor(unit: $0[0], sourceName: $0[1], sourceVersion: $0[2], device: $0[3], page: page)
        }
        item.start = content.start ?? PreparedItem.absentTime
        item.end = content.end ?? PreparedItem.absentTime
        item.creation = content.creation ?? PreparedItem.absentTime
        switch content.value {
        case .absent: break
        case .number(let number, let lexicalForm):
            item.valueKind = .number
            item.number = number
            if CanonicalNumber(number).text != lexicalForm { item.text = page.store(lexicalForm) }
        case .text(let text):
            item.valueKind = .text
            item.text = page.store(text)
        }
        item.metadata = page.store(content.metadata)
        item.extras = page.store(content.extras)
        item.volatileFields = page.store(content.volatileFields)
        if content.kind != .record { item.strictKey = page.store(content.strictKey) }
        item.identity = content.identity
        item.version = content.version
        if !content.members.isEmpty || content.filePath != nil || isInItem {
            var detail = ItemDetail()
            detail.members = content.members
            detail.filePath = content.filePath
            detail.isInItem = isInItem
            item.detail = Int32(page.details.count)
            page.details.append(detail)
        }
        return item
    }

    func quarantine(
        _ element: ItemElement, _ sampleType: String?, _ reason: QuarantineReason, _ entry: TapePage.Item,
        _ page: ItemPage
    ) {
        if let sampleType { _ = sampleType.withByteView { descriptors.type($0, page: page) } }
        page.quarantined.append(
            QuarantinedItem(
                reason: reason, sampleType: sampleType, place: element.place ?? entry.place, text: element.xml))
    }

    func count(unknownIn element: ItemElement) {
        if let known = KnownGrammar.attributes[element.name] {
            for (name, _) in element.attributes where !known.contains(name) { unknown.add("\(element.name)@\(name)") }
        } else {
            unknown.add(element.name)
        }
        if !element.text.isEmpty { unknown.add("\(element.name)#text") }
        for child in element.children { count(unknownIn: child) }
    }

    private static func withViews<R>(_ texts: [String?], _ body: ([ByteView?]) -> R) -> R {
        let bytes = ByteBuffer(capacity: texts.reduce(64) { $0 + ($1?.utf8.count ?? 0) })
        let slices = texts.map { text in
            guard let text else { return ByteSlice.absent }
            let from = bytes.count
            bytes.append(text)
            return bytes.slice(from: from)
        }
        return withExtendedLifetime(bytes) { body(slices.map { $0.isAbsent ? nil : bytes.view($0) }) }
    }
}
