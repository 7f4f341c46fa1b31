internal import HealthModel

/// Reads one item of a tape back as an element tree, for everything but plain records.
struct TapeReader {
    private let base: UnsafePointer<UInt8>
    private var at: Int
    private let end: Int

    init(_ page: TapePage, from: Int, to: Int) {
        base = UnsafePointer(page.bytes.base)
        at = from
        end = to
    }

    /// The element at the start of the tape; what was cut off at a cap is missing.
    mutating func element() -> ItemElement? {
        var stack: [ItemElement] = []
        while at < end {
            let code = base[at]
            at += 1
            switch code {
            case TapePage.start:
                let element = ItemElement(name: name())
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
            default:
                if stack.count == 1 { return stack[0] }
                _ = stack.popLast()
            }
        }
        return stack.first
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
