internal import Foundation

/// Numbers as the report prints them.
enum Text {
    static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

    static func seconds(_ value: Double) -> String {
        value < 1 ? String(format: "%.0f ms", value * 1000) : String(format: "%.2f s", value)
    }

    static func megabytes(_ bytes: Int) -> String { String(format: "%.0f MB", Double(bytes) / 1e6) }

    static func percent(_ share: Double) -> String { String(format: "%+.1f %%", share * 100) }

    /// `2,000,000`.
    static func count(_ value: Int) -> String {
        var text = ""
        for (place, digit) in String(value).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
