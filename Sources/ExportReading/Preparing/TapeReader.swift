internal import Basics
internal import HealthModel

/// Reads one item of a tape back as an element tree, for everything but plain records.
struct TapeReader {
    private let tape: ByteView
    private var at: Int
    private let item: TapePage.Item

    init(_ page: TapePage, _ item: TapePage.Item) {
        tape = page.bytes.view
        at = item.from
        self.item = item
    }

    /// The element at the start of the tape; what was cut off at a cap is missing, and the elements it is missing in know it.
    mutating func element() -> ItemElement? {
        var stack: [ItemElement] = []
        var place: XMLPlace?
        let end = item.to
        while at < end {
            let code = tape[at]
            at += 1
            switch code {
            case TapePage.start:
                let element = ItemElement(name: name())
                element.place = place
                place = nil
                for _ in 0..<word() {
                    let attribute = name()
                    let length = word()
                    element.attributes.append((attribute, tape[at..<at + length].string))
                    at += length
                }
                stack.last?.children.append(element)
                stack.append(element)
            case TapePage.text:
                let length = word()
                stack.last?.text += tape[at..<at + length].string
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
        defer { at += 8 }
        return Int64(bitPattern: tape.long(at: at))
    }

    private mutating func word() -> Int {
        defer { at += 4 }
        return Int(tape.word(at: at))
    }

    private mutating func name() -> String {
        let number = tape[at]
        at += 1
        if number != TapePage.spelled { return TapeName.texts[Int(number)] }
        let length = word()
        defer { at += length }
        return tape[at..<at + length].string
    }
}
