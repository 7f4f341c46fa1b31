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
