internal import Basics
internal import Days
internal import Foundation

/// Percentages as people read them: an export has 0.97 with the unit `%`, which is 97 %. JSON and CSV keep its number.
enum Percent {
    /// By what a value of a unit is multiplied to be shown.
    static func scale(_ unit: String?) -> Double { unit == "%" ? 100 : 1 }

    /// A value of a unit as it is shown; nil stays nil.
    static func shown(_ value: Double?, _ unit: String?) -> Double? { value.map { $0 * scale(unit) } }

    /// A number of a unit with all digits that it was exported with.
    static func text(_ number: Double, _ unit: String?) -> String {
        let text = CanonicalNumber.text(number) ?? "-"
        // A product of doubles would show digits that nobody measured.
        guard unit == "%", let exact = Decimal(string: text) else { return text }
        return CanonicalNumber.text(NSDecimalNumber(decimal: exact * 100).doubleValue) ?? text
    }

    /// An aggregate as it is shown.
    static func shown(_ bucket: AggregateBucket) -> AggregateBucket {
        guard bucket.unit == "%" else { return bucket }
        var shown = bucket
        shown.aggregate = bucket.aggregate.converted(scale: 100, offset: 0)
        return shown
    }
}
