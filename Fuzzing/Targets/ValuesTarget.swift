internal import Basics
internal import Foundation
internal import HealthModel

/// The parsers of single values against what the standard library makes of the same text.
enum ValuesTarget {
    static func run(_ bytes: ByteView) {
        let text = bytes.string
        let buffer = ByteBuffer(capacity: bytes.count + 1)
        buffer.append(bytes)
        let view = buffer.view
        checkInstant(view)
        checkNumber(view)
        _ = Device(text).canonicalJSON.canonicalText
        checkBeats(text)
        let json = JSON.array([.string(text)]).canonicalText
        let back = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
        precondition(back?.first.map { $0.utf8.elementsEqual(text.utf8) } == true, "a string that does not read back")
        checkSum(bytes)
    }

    private static func checkInstant(_ view: ByteView) {
        guard let instant = Instant(view) else { return }
        let days = Int((Double(instant.seconds) / 86_400).rounded(.down))
        let date = CivilDate.date(daysSince1970: days)
        precondition(CivilDate.daysSince1970(year: date.year, month: date.month, day: date.day) == days)
        precondition(abs(instant.offsetSeconds) < 86_400 && date.year >= -1 && date.year <= 10_000)
    }

    private static func checkNumber(_ view: ByteView) {
        guard let number = CanonicalNumber(view) else { return }
        precondition(Double(view.string) == number.value, "another value than Swift reads")
        precondition(Double(number.text) == number.value, "the canonical text is another number")
        precondition(CanonicalNumber(number.value).text == number.text, "not canonical")
    }

    private static func checkBeats(_ text: String) {
        let list = ItemElement(name: "HeartRateVariabilityMetadataList")
        for time in text.split(separator: "\n") {
            list.children.append(
                ItemElement(name: "InstantaneousBeatsPerMinute", attributes: [("bpm", "60"), ("time", String(time))]))
        }
        let record = ItemElement(name: "Record", attributes: [("type", "T"), ("startDate", text), ("endDate", text)])
        record.children = [list]
        _ = ItemRules(exportOffset: 0).apply(to: record)
    }

    /// Adding and taking away again leaves nothing.
    private static func checkSum(_ bytes: ByteView) {
        var sum = ExactSum()
        let count = bytes.count / 8
        func value(_ index: Int) -> Double {
            Double(bitPattern: bytes.long(at: index * 8))
        }
        for index in 0..<count { sum.add(value(index)) }
        _ = sum.value
        for index in (0..<count).reversed() { sum.subtract(value(index)) }
        precondition(sum.value == 0)
    }
}
