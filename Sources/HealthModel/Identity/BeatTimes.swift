internal import Basics

/// The times of a beat list as distances to its first beat, so that clock, locale and zone drop out.
///
/// Exports print a wall time with the locale's clock and separator (`7:47:41.86 PM`, `20:14:07.68`, `08:33:44,67`).
/// Distances are taken modulo 12 hours: a list spans minutes, and half a day is where both clocks agree.
package enum BeatTimes {
    private static let halfDay: Int64 = 43_200_000_000

    /// Distances to the first time in microseconds; nil where one of them is no wall time.
    static func distances(_ times: [String]) -> [Int64]? {
        var out: [Int64] = []
        var first: Int64?
        for text in times {
            guard let time = microseconds(text) else { return nil }
            let origin = first ?? time
            first = origin
            let distance = (time - origin) % halfDay
            out.append(distance < 0 ? distance + halfDay : distance)
        }
        return out
    }

    /// Wall times that are at these distances from a first one, in the first one's clock and separators as far as those
    /// are known; the first one itself stays as it is.
    ///
    /// Where the first time is unknown, midnight replaces it: only distances count.
    package static func texts(first: String?, distances: [Int64]) -> [String] {
        let known = first.flatMap { text in microseconds(text).map { (text, $0) } }
        let isHalved = known.map { $0.0.uppercased().hasSuffix("M") } ?? false
        let origin = (known?.1 ?? 0) % (isHalved ? halfDay : 2 * halfDay)
        return distances.map { distance in
            if distance == 0, let known { return known.0 }
            return text(origin + distance, like: known?.0 ?? "00:00:00.00")
        }
    }

    /// A wall time in the form of another: its clock, its separator.
    private static func text(_ microseconds: Int64, like form: String) -> String {
        let half = ["AM", "PM"].first { form.uppercased().hasSuffix($0) }
        var hours = microseconds / 3_600_000_000 % 24
        var suffix = ""
        if let half {
            // A twelve-hour clock was read without its half of the day, which changes at every twelfth hour.
            let isLater = (half == "PM") != (microseconds / halfDay % 2 == 1)
            suffix = isLater ? " PM" : " AM"
            hours = hours % 12 == 0 ? 12 : hours % 12
        }
        var fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        while fraction.utf8.count > 2, fraction.hasSuffix("0") { fraction.removeLast() }
        let separator = form.utf8.contains(0x2C) ? "," : "."
        let minutes = microseconds / 60_000_000 % 60
        let seconds = microseconds / 1_000_000 % 60
        return
            "\(half == nil ? twoDigits(hours) : "\(hours)"):\(twoDigits(minutes)):\(twoDigits(seconds))\(separator)\(fraction)"
            + suffix
    }

    /// A wall time in microseconds, in whichever half of the day it was printed.
    ///
    /// Words and spaces before the first digit and behind the time are passed over: locales put AM and PM there. With
    /// further digits it is no wall time.
    private static func microseconds(_ text: String) -> Int64? {
        var (hours, minutes, last): (Int64, Int64, Int64) = (0, 0, 0)
        var fields = 1
        var digits = 0
        var fraction: Int64 = 0
        var fractionDigits: Int?
        var hasEnded = false
        for scalar in text.unicodeScalars {
            if let digit = digit(scalar) {
                if hasEnded { return nil }
                digits += 1
                if let count = fractionDigits {
                    if count < 6 { (fraction, fractionDigits) = (fraction * 10 + digit, count + 1) }
                } else {
                    guard last < 100 else { return nil }
                    last = last * 10 + digit
                }
                continue
            }
            switch scalar {
            // Some locales separate hours, minutes and seconds by points too.
            case ":" where fractionDigits == nil && fields < 3 && !hasEnded,
                "." where fractionDigits == nil && digits > 0 && fields < 3 && !hasEnded:
                (hours, minutes, last) = (minutes, last, 0)
                fields += 1
            case ".", ",", "\u{066B}":
                if fractionDigits == nil, fields == 3, !hasEnded { fractionDigits = 0 } else { hasEnded = true }
            default:
                if digits > 0 { hasEnded = true }
            }
        }
        guard fields == 3, digits >= 3, hours <= 24, minutes <= 59, last <= 60 else { return nil }
        for _ in (fractionDigits ?? 0)..<6 { fraction *= 10 }
        return ((hours * 60 + minutes) * 60 + last) * 1_000_000 + fraction
    }

    /// The value of a digit of any script.
    private static func digit(_ scalar: Unicode.Scalar) -> Int64? {
        if scalar.isASCII { return 0x30...0x39 ~= scalar.value ? Int64(scalar.value) - 0x30 : nil }
        guard let value = scalar.properties.numericValue, let digit = Int64(exactly: value), 0..<10 ~= digit else {
            return nil
        }
        return digit
    }
}
