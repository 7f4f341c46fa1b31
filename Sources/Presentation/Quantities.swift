internal import Basics

/// Whole numbers for people: digits in groups of three, nouns in the right number.
package enum Counts {
    /// `1,234,567`. The comma is the same in every locale: two people who compare reports must see the same digits.
    package static func grouped(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `1 record`, `84 records`; a plural that is not the singular and an `s` is given as `plural`.
    package static func of(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
        "\(grouped(number)) \(number.magnitude == 1 ? singular : plural ?? singular + "s")"
    }
}

/// Sizes for people, in decimal units, as file managers and Apple's own software show them.
package enum Bytes {
    /// `1 byte`, `812 bytes`, `3.1 GB`: one decimal below 100 of a unit, none from there on.
    package static func text(_ count: some BinaryInteger) -> String {
        guard count.magnitude >= 1000 else { return Counts.of(count, "byte") }
        return (count < 0 ? "-" : "") + scaled(Double(count.magnitude))
    }

    /// `123 MB/s`; nothing can be said of an unknown or infinite speed, which is `-`.
    package static func speed(perSecond: Double) -> String {
        guard perSecond.isFinite, perSecond >= 0 else { return "-" }
        return scaled(max(perSecond, 0)) + "/s"
    }

    private static func scaled(_ bytes: Double) -> String {
        var value = bytes / 1000
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        // 999.6 would be printed as 1000: the rounded number decides about the unit.
        while value.rounded() >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        let number = tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : String(Int(value.rounded()))
        return "\(number) \(units[unit])"
    }
}

/// Spans of time for people, in the two units that matter.
package enum Durations {
    /// `0.4 s`, `42 s`, `2 min 03 s`, `1 h 02 min`, `3 d 04 h`; `-` when the span is unknown (NaN or infinite).
    ///
    /// Below ten seconds there is a tenth, unless `tenths` is false, as for a guess.
    package static func text(seconds: Double, tenths: Bool = true) -> String {
        guard seconds.isFinite else { return "-" }
        if seconds < 0 { return "-" + text(seconds: -seconds, tenths: tenths) }
        let inTenths = Int((min(seconds, 9.96) * 10).rounded())
        if tenths, inTenths < 100 { return "\(inTenths / 10).\(inTenths % 10) s" }
        let whole = Int(min(seconds, 1e15).rounded())
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3_600: "\(whole / 60) min \(twoDigits(whole % 60)) s"
        case ..<86_400: "\(whole / 3_600) h \(twoDigits(whole / 60 % 60)) min"
        default: "\(whole / 86_400) d \(twoDigits(whole / 3_600 % 24)) h"
        }
    }

    /// `1:02:03` of seconds.
    package static func clock(_ seconds: some BinaryInteger) -> String {
        "\(sixties(seconds / 60)):\(twoDigits(seconds % 60))"
    }

    /// `5:30`: minutes and seconds of seconds, or hours and minutes of minutes.
    package static func sixties(_ count: some BinaryInteger) -> String { "\(count / 60):\(twoDigits(count % 60))" }
}
