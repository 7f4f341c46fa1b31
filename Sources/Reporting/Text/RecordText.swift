package import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// Records for people.
package enum RecordText {
    /// A page of records as a table.
    package static func table(_ records: [RecordRow], _ layout: TextLayout) -> String {
        var table = TextTable([
            .name("Type"), .exact("Start"), .exact("End", leftOut: 1), .right("Value", maxWidth: 40), .left("Unit"),
            .left("Source", leftOut: 3), .exact("Identity", leftOut: 2),
        ])
        for row in records {
            table.addRow([
                shortIdentifier(row.type), layout.time(row.start), row.end == row.start ? "" : layout.time(row.end),
                value(row), row.unit ?? "", row.sourceName ?? "", String(row.identity.hex.prefix(12)),
            ])
        }
        return layout.render(table)
    }

    /// One record as a phrase: type, dates, value, source; safe for a terminal.
    package static func phrase(_ row: RecordRow, _ layout: TextLayout) -> String {
        var parts = [shortIdentifier(row.type)]
        if let start = row.start { parts.append(layout.time(start)) }
        if let end = row.end, end != row.start { parts.append("to " + layout.time(end)) }
        let value = [value(row), row.unit ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        if !value.isEmpty { parts.append(value) }
        if let source = row.sourceName { parts.append("from " + source) }
        parts.append(String(row.identity.hex.prefix(12)))
        return TerminalText.safe(parts.joined(separator: "  "))
    }

    /// The value, or what stands for it in items that have none: a workout's activity, a summary's day.
    package static func value(_ row: RecordRow) -> String {
        switch row.value {
        case .number(let number): return CanonicalNumber.text(number) ?? "-"
        case .text(let text): return shortValue(text)
        case .absent: break
        }
        guard row.strictKey != nil else { return "" }
        let members = ItemMembers(row)
        if case .string(let text)? = members.value { return text }
        for name in ["workoutActivityType", "dateComponents", "identifier", "classification"] {
            if case .string(let text)? = members.attributes?[name] { return shortValue(text) }
        }
        return ""
    }

    /// `HKCategoryValueSleepAnalysisAsleep` as `SleepAnalysisAsleep`, `HKWorkoutActivityTypeRunning` as `Running`.
    private static func shortValue(_ text: String) -> String {
        for prefix in ["HKCategoryValue", "HKWorkoutActivityType"] where text.hasPrefix(prefix) && text != prefix {
            return String(text.dropFirst(prefix.count))
        }
        return text
    }
}
