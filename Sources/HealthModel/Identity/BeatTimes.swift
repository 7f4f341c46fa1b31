/// The times of a beat list as distances to its first beat, so that clock, locale and zone drop out.
///
/// Exports print a wall time with the locale's clock and separator (`7:47:41.86 PM`, `20:14:07.68`, `08:33:44,67`).
/// Distances are taken modulo 12 hours: a list spans minutes, and half a day is where both clocks agree.
enum BeatTimes {
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

    /// A wall time in microseconds, in whichever half of the day it was printed.
    private static func microseconds(_ text: String) -> Int64? {
        var fields: [Int64] = [0]
        var digits = 0
        var fraction: (value: Int64, digits: Int)?
        scan: for character in text.trimmingSpaces {
            if let digit = character.wholeNumberValue, digit < 10 {
                digits += 1
                if let (value, count) = fraction {
                    if count < 6 { fraction = (value * 10 + Int64(digit), count + 1) }
                } else {
                    guard let last = fields.last, last < 100 else { return nil }
                    fields[fields.count - 1] = last * 10 + Int64(digit)
                }
                continue
            }
            switch character {
            // Some locales separate hours, minutes and seconds by points too.
            case ":" where fraction == nil && fields.count < 3, "." where fraction == nil && digits > 0 && fields.count < 3:
                fields.append(0)
            case ".", ",", "\u{066B}":
                guard fraction == nil, fields.count == 3 else { break scan }
                fraction = (0, 0)
            default:
                if digits > 0 { break scan }
            }
        }
        guard fields.count == 3, digits >= 3, fields[0] <= 24, fields[1] <= 59, fields[2] <= 60 else { return nil }
        var micro = fraction?.value ?? 0
        for _ in (fraction?.digits ?? 0)..<6 { micro *= 10 }
        return ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1_000_000 + micro
    }
}

extension String {
    /// The text without the spaces around it (also the narrow ones that locales put before AM and PM).
    var trimmingSpaces: Substring {
        var slice = self[...]
        while let first = slice.first, first.isWhitespace { slice.removeFirst() }
        while let last = slice.last, last.isWhitespace { slice.removeLast() }
        return slice
    }
}
