import Foundation
import TestSupport

/// Prints an export as Apple does, varying on purpose what is not part of any fact.
struct ExportWriter {
    private let export: ModelExport
    private var random: SeededGenerator
    private let printsDeviceCreationDate: Bool

    private init(_ export: ModelExport) {
        self.export = export
        random = SeededGenerator(seed: export.printingSeed)
        printsDeviceCreationDate = random.chance(40)
    }

    /// The bytes of the export's XML, cut off where the export is.
    static func text(_ export: ModelExport) -> String {
        var writer = ExportWriter(export)
        return writer.document()
    }

    private mutating func document() -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        if random.chance(50) {
            text += "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n"
            text += "<!ELEMENT HealthData (ExportDate,Me,(Record)*)>\n]>\n"
        }
        text += "<HealthData locale=\"en_US\">\n <ExportDate value=\"\(date(export.date, plain: true))\"/>\n"
        text += element(Element(name: "Me", attributes: export.me.mapValues { .text($0) }), indent: 1)
        for (index, item) in export.items.enumerated() {
            guard let cut = export.cutAfter else {
                text += element(item, indent: 1)
                continue
            }
            if index < cut {
                text += element(item, indent: 1)
            } else {
                // Within the start tag of the first unread item, or right before it.
                return text + element(item, indent: 1).prefix(Int.random(in: 0..<11, using: &random))
            }
        }
        return export.isPartial ? text : text + "</HealthData>\n"
    }

    /// An element on lines of its own. Children and attributes come in any order.
    private mutating func element(_ element: Element, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var tag = "\(margin)<\(element.name)"
        for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }).shuffled(using: &random) {
            let text = printed(value, name: name, of: element)
            tag += " \(name)=\"\(Self.escaped(text))\""
        }
        guard !element.children.isEmpty else { return tag + "/>\n" }
        // Apple prints a workout's metadata twice.
        let metadata = element.children.filter { $0.name == "MetadataEntry" }
        let repeated = element.name == "Workout" || random.chance(10) ? metadata : []
        let body = (element.children + repeated).shuffled(using: &random).map { child in
            self.element(child, indent: indent + 1)
        }
        return tag + ">\n" + body.joined() + "\(margin)</\(element.name)>\n"
    }

    private mutating func printed(_ value: AttributeValue, name: String, of element: Element) -> String {
        switch value {
        case .text(let text):
            let isNumber = element.name == "Record" && name == "value" && Int(text) != nil
            return isNumber && random.chance(15) ? text + ".0" : text
        case .instant(let seconds): return date(seconds, plain: false)
        case .device(let fields): return device(fields)
        }
    }

    /// `<<HKDevice: 0x28…>, name:…>` with a new address each time, a creation date in some exports, and an absent
    /// software version in its several spellings.
    private mutating func device(_ fields: [String: String]) -> String {
        let address = String(UInt32.random(in: 0..<0x0fff_ffff, using: &random), radix: 16)
        var parts = ["<<HKDevice: 0x28\(address)>"]
        for name in ["name", "manufacturer", "model", "hardware", "software"] {
            if let value = fields[name] {
                parts.append("\(name):\(value)")
            } else if name == "software", random.chance(30) {
                parts.append(random.chance(80) ? "software:0.0.0" : "software:")
            }
        }
        if printsDeviceCreationDate { parts.append("creation date:2024-08-31 17:17:55 +0000") }
        return parts.joined(separator: ", ") + ">"
    }

    /// `yyyy-MM-dd HH:mm:ss ±HHMM`, now and then as second 60 or as 24:00:00.
    private mutating func date(_ seconds: Int, plain: Bool) -> String {
        let local = seconds + export.offsetSeconds
        let minutes = abs(export.offsetSeconds) / 60
        let offset = String(
            format: "%@%02d%02d", export.offsetSeconds < 0 ? "-" : "+", minutes / 60, minutes % 60)
        guard !plain, local % 60 == 0, random.chance(8) else { return Self.civil(local) + " " + offset }
        if local % 86400 == 0, random.chance(50) {
            return Self.civil(local - 86400).prefix(10) + " 24:00:00 " + offset
        }
        return Self.civil(local - 60).dropLast(2) + "60 " + offset
    }

    /// A local time as `yyyy-MM-dd HH:mm:ss`, by Howard Hinnant's days-to-civil algorithm.
    private static func civil(_ local: Int) -> String {
        let days = Int((Double(local) / 86400).rounded(.down))
        let time = local - days * 86400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return String(
            format: "%04d-%02d-%02d %02d:%02d:%02d", year, month, day, time / 3600, time / 60 % 60, time % 60)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
}
