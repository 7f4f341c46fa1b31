import Basics
import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

/// Plain records take a path of their own through the reader, which must agree to the byte with the rules.
struct FastPathTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func plainRecordsAgreeWithTheRules(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let elements = (0..<2_500).map { _ in RandomRecord.element(&random) }
        let read = try readExport(items: elements.map(\.xml).joined(separator: "\n"))
        #expect(read.document.isComplete)
        let rules = ItemRules(exportOffset: 7200)
        let expected = elements.flatMap { element -> [(ItemContent, ItemElement)] in
            rules.apply(to: element).item.map { [($0, element)] } ?? []
        }
        #expect(read.items.count == expected.count)
        #expect(read.quarantined.count == elements.count - expected.count)
        for (item, (content, element)) in zip(read.items, expected) {
            #expect(Self.differences(item, content) == [], "\(element.xml)")
        }
    }

    private static func differences(_ item: ReadItem, _ content: ItemContent) -> [String] {
        var out: [String] = []
        func check<Value: Equatable>(_ name: String, _ a: Value, _ b: Value) {
            if a != b { out.append("\(name): \(a) instead of \(b)") }
        }
        // Swift's == calls canonically equivalent texts equal; here only the same bytes are.
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        check("identity", item.identity, content.identity.hex)
        check("version", item.version, content.version.hex)
        check("type", bytes(item.type), bytes(content.sampleType))
        check("start", item.start, content.start)
        check("end", item.end, content.end)
        check("creation", item.creation, content.creation)
        check("metadata", bytes(item.metadata), bytes(content.metadata))
        check("extras", bytes(item.extras), bytes(content.extras))
        check("volatile_fields", bytes(item.volatileFields), bytes(content.volatileFields))
        check("unit", bytes(item.unit), bytes(content.unit))
        check("source", bytes(item.sourceName), bytes(content.sourceName))
        check("source version", bytes(item.sourceVersion), bytes(content.sourceVersion))
        check("device", bytes(item.device), bytes(content.deviceText.map { Device($0).canonicalJSON.canonicalText }))
        switch content.value {
        case .absent:
            check("value kind", item.valueKind, .absent)
            check("text", item.text, nil)
        case .number(let number, let lexicalForm):
            check("value kind", item.valueKind, .number)
            check("number", item.number.bitPattern, (number == 0 ? 0 : number).bitPattern)
            check("lexical_form", item.text ?? CanonicalNumber(number).text, lexicalForm)
        case .text(let text):
            check("value kind", item.valueKind, .text)
            check("text", bytes(item.text), bytes(text))
        }
        return out
    }
}

/// Records as real exports have them and as no export ever had them.
enum RandomRecord {
    private static let texts = [
        "Health", "Ion’s Apple\u{A0}Watch", "é", "e\u{301}", "a\"b\\c", "<&>'", "\u{E000}", "🩺", "", " ", "x\ny\tz",
        "漢字",
        "\u{7F}\u{85}\u{2028}", "K\u{212A}", "mmol<180.1558800000541>/L", "1.0", "-0", "null",
    ]
    private static let devices = [
        "<<HKDevice: 0x282e3a260>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,4, software:12.3>",
        "<<HKDevice: 0x1>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,4, software:12.3, creation date:2024-08-31 17:17:55 +0000>",
        "<<HKDevice: 0xABC>, name:Apple Watch, model:Watch, software:0.0.0>",
        "<<HKDevice: 0xabd>, name:Apple Watch, model:Watch, software:>",
        "<<HKDevice: 0x1>", "<<HKDevice: 0x2>", "<<HKDevice: 0x1>>", "<<HKDevice: 0x2>, name:open",
        "<<HKDevice: 0x3>, name:open",
        ">, name:A>", "<<HKDevice: 0x9>, name:A>", "<<HKDevice: 0x>, name:A>", "<<HKDevice: 0xZZ>, name:A>",
        "<<HKDevice: 0x12", "plain", "",
    ]
    private static let keys = [
        "HKWasUserEntered", "HKMetadataKeySyncIdentifier", "k", "K", "\u{E000}", "\u{10000}", "z\"", "é", "e\u{301}",
        "",
    ]

    static func element(_ random: inout SeededGenerator) -> ItemElement {
        var attributes: [(name: String, value: String)] = [("type", "T\(Int.random(in: 0..<4, using: &random))")]
        func maybe(_ percent: Int, _ name: String, _ value: (inout SeededGenerator) -> String) {
            if random.chance(percent) { attributes.append((name, value(&random))) }
        }
        maybe(90, "sourceName") { $0.pick(texts, else: "") }
        maybe(60, "sourceVersion") { $0.pick(texts, else: "") }
        maybe(60, "device") { $0.pick(devices, else: "") }
        maybe(70, "unit") { $0.pick(texts, else: "") }
        maybe(70, "creationDate", date)
        maybe(98, "startDate", date)
        maybe(98, "endDate", date)
        maybe(90, "value", value)
        maybe(3, "other") { $0.pick(texts, else: "") }
        if random.chance(30) { attributes.shuffle(using: &random) }
        let element = ItemElement(name: "Record", attributes: attributes)
        for _ in 0..<(random.chance(40) ? Int.random(in: 1...4, using: &random) : random.chance(3) ? 20 : 0) {
            var entry = [("key", random.pick(keys, else: "")), ("value", random.pick(texts, else: ""))]
            if random.chance(20) { entry.reverse() }
            element.children.append(ItemElement(name: "MetadataEntry", attributes: entry))
        }
        if random.chance(2) { element.text = "text" }
        return element
    }

    private static func date(_ random: inout SeededGenerator) -> String {
        if random.chance(1) { return random.pick(["", "x", "2024-02-30 00:00:00 +0200"], else: "") }
        func two(_ range: ClosedRange<Int>) -> String {
            let text = String(Int.random(in: range, using: &random))
            return text.count < 2 ? "0" + text : text
        }
        let offset = random.chance(97) ? "+0200" : random.pick(["+0100", "-0330", "+0545"], else: "")
        return
            "\(random.pick(["2024", "1969", "2001"], else: ""))-\(two(1...12))-\(two(1...28)) \(two(0...23)):\(two(0...59)):\(two(0...60)) \(offset)"
    }

    private static func value(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return random.pick(texts, else: "")
        case 1: return String(Int.random(in: -100...100_000, using: &random))
        case 2: return "\(Double(bitPattern: random.next()))"
        case 3:
            return random.pick(
                [
                    "5.91532e-05", "-0.0", "+7", "007", "1e400", "1e-400", ".5", "5.", "1e", "0x1p3", "inf", "1E5",
                    "123456789012345678901234567890",
                ], else: "")
        case 4: return "HKCategoryValueSleepAnalysisAsleep"
        default: return String(format: "%g", Double.random(in: -10...2_000, using: &random))
        }
    }
}
