import Foundation

/// The lines of one element of an export's XML, with its attributes.
struct ExportElement {
    let lines: [Substring]

    /// An attribute of the first line, or of a line inside.
    static func attribute(_ name: String, _ line: Substring) -> String? {
        guard let range = line.firstRange(of: " \(name)=\"") else { return nil }
        return String(line[range.upperBound...].prefix { $0 != "\"" })
    }

    subscript(name: String) -> String? { lines.first.flatMap { Self.attribute(name, $0) } }

    /// The lines of a kind one level down.
    func children(_ kind: String) -> [Substring] { lines.filter { $0.hasPrefix("  <\(kind) ") } }

    /// Start and end in Unix seconds.
    static func interval(_ line: Substring) -> (start: Double, end: Double)? {
        guard let start = attribute("startDate", line).flatMap(instant),
            let end = attribute("endDate", line).flatMap(instant)
        else { return nil }
        return (start, end)
    }

    /// An instant as exports print it.
    static func instant(_ text: String) -> Double? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
        return format.date(from: text)?.timeIntervalSince1970
    }

    /// The workouts of an export.
    static func workouts(_ lines: [Substring]) -> [ExportElement] {
        var result: [ExportElement] = []
        var open: [Substring] = []
        for line in lines {
            if line.hasPrefix(" <Workout ") { open = [line] } else if !open.isEmpty { open.append(line) }
            if line == " </Workout>" {
                result.append(ExportElement(lines: open))
                open = []
            }
        }
        return result
    }
}

/// A record of an export as far as the tests of workouts need it.
struct ExportRecord {
    let type: String
    let source: String
    let start: Double
    let end: Double
    let value: Double

    /// The quantity records of an export by type.
    static func all(_ lines: [Substring], types: Set<String>) -> [String: [ExportRecord]] {
        var result: [String: [ExportRecord]] = [:]
        for line in lines where line.hasPrefix(" <Record ") {
            guard let type = ExportElement.attribute("type", line), types.contains(type),
                let interval = ExportElement.interval(line),
                let value = ExportElement.attribute("value", line).flatMap(Double.init),
                let source = ExportElement.attribute("sourceName", line)
            else { continue }
            result[type, default: []].append(
                ExportRecord(type: type, source: source, start: interval.start, end: interval.end, value: value))
        }
        return result
    }
}
