internal import Basics
internal import HealthModel
internal import Presentation
internal import Questions
internal import Store

extension RecordRow {
    /// The record as an entry of a list.
    func item(_ zone: DisplayZone, marker: String, note: String? = nil) -> Document.Item {
        Document.Item(phrase(zone), marker: marker, note: note, link: .sample(identity))
    }

    /// The record as a phrase: type, dates, value, source.
    func phrase(_ zone: DisplayZone) -> String {
        var parts = [shortIdentifier(type).quoted]
        if let start { parts.append(zone.time(start)) }
        if let end, end != start { parts.append("to " + zone.time(end)) }
        if !valueWithUnit.isEmpty { parts.append(valueWithUnit.quoted) }
        if let sourceName { parts.append("from " + sourceName.quoted) }
        return (parts + [identity.prefix]).joined(separator: "  ")
    }

    var valueWithUnit: String {
        let (value, unit) = DisplayUnits.metric.texts(self)
        return [value, unit].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The value, or what an item has in its place: a workout's activity, a summary's day.
    var valueText: String {
        switch value {
        case .number(let number): return CanonicalNumber.text(number) ?? "-"
        case .text(let text): return shortValue(text)
        case .absent: break
        }
        guard let item, item.kind != .record else { return "" }
        let members = ItemMembers(item)
        if case .string(let text)? = members.value { return text }
        for name in ["workoutActivityType", "dateComponents", "identifier", "classification"] {
            if case .string(let text)? = members.attributes?[name] { return shortValue(text) }
        }
        return ""
    }
}
