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

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
