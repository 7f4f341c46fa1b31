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
