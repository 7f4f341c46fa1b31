internal import HealthModel
internal import TextFormats

/// Reads one item of a tape back as an element tree, for everything but plain records.
struct TapeReader {
    private let base: UnsafePointer<UInt8>
    private var at: Int
    private let item: TapePage.Item

    init(_ page: TapePage, _ item: TapePage.Item) {
        base = UnsafePointer(page.bytes.base)
        at = item.from
        self.item = item
    }

    /// The element at the start of the tape; what was cut off at a cap is missing, and the elements it is missing in know it.
    mutating func element() -> ItemElement? {
        var stack: [ItemElement] = []
        var place: XMLPlace?
        let end = item.to
        while at < end {
            let code = base[at]
            at += 1
            switch code {
            case TapePage.start:
                let element = ItemElement(name: name())
                element.place = place
                place = nil
                for _ in 0..<word() {
                    let attribute = name()
                    let length = word()
                    element.attributes.append((attribute, ByteView(base + at, length).string))
                    at += length
                }
                stack.last?.children.append(element)
                stack.append(element)
            case TapePage.text:
                let length = word()
                stack.last?.text += ByteView(base + at, length).string
                at += length
            case TapePage.place:
                place = XMLPlace(line: long(), byteStart: long(), byteEnd: item.place.byteEnd)
            case TapePage.placeEnd:
                stack.last?.place?.byteEnd = long()
            default:
                if stack.count == 1 { return stack[0] }
                _ = stack.popLast()
            }
        }
        for element in stack { element.overCap = item.overCap }
        return stack.first
    }

    private mutating func long() -> Int64 {
        let value = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: Int64.self).littleEndian
        at += 8
        return value
    }

    private mutating func word() -> Int {
        let value = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt32.self).littleEndian
        at += 4
        return Int(value)
    }

    private mutating func name() -> String {
        let number = base[at]
        at += 1
        if number != TapePage.spelled { return TapeName.texts[Int(number)] }
        let length = word()
        defer { at += length }
        return ByteView(base + at, length).string
    }
}
