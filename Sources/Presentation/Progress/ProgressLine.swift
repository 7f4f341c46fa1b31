/// What there is to say about a running piece of work, fitted into a width.
struct ProgressLine {
    /// What is being done, already safe for a terminal.
    let label: String
    /// Bytes done so far; items where `items` is nil.
    let done: Int
    /// How many altogether, when that is known.
    let total: Int?
    /// Items done so far; nil where bytes are not counted.
    let items: Int?
    /// Time since the work began.
    let elapsedSeconds: Double

    private static let longestBar = 30
    private static let shortestBar = 8

    /// The line for a log: everything, in plain words, without a bar.
    var plain: String {
        ([label] + [percentText, sizeText, speedText, remainingText, itemText].compactMap(\.self))
            .joined(separator: "  ")
    }

    /// The line for a terminal of so many columns. Too narrow a terminal loses the bar first, then the least important
    /// parts, and at last the end of the label.
    func bar(columns: Int) -> String {
        var parts = [percentText ?? sizeText, remainingText, speedText, itemText].compactMap(\.self)
        while true {
            let text = ([label] + parts).joined(separator: "  ")
            let room = columns - DisplayWidth.of(text)
            if room >= 0 || parts.isEmpty {
                guard let fraction, room >= Self.shortestBar + 4 else {
                    return DisplayWidth.truncated(text, to: columns)
                }
                let drawn = Self.drawing(fraction, width: min(Self.longestBar, room - 4))
                return ([label, drawn] + parts).joined(separator: "  ")
            }
            parts.removeLast()
        }
    }

    /// Between 0 and 1; `nil` when the total is unknown.
    var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return max(0, min(1, Double(done) / Double(total)))
    }

    /// Rounded down: 100 % is said when it is true. Padded, so that the parts after it stand still.
    private var percentText: String? {
        fraction.map {
            let digits = String(Int($0 * 100))
            return String(repeating: " ", count: 3 - digits.count) + digits + " %"
        }
    }

    private var sizeText: String? {
        // Of work whose size nobody knows the time is all that there is to show.
        if done == 0, total == nil { return Durations.text(seconds: elapsedSeconds, tenths: false) }
        return items == nil ? Counts.of(done, "item") : Bytes.text(done)
    }

    /// The mean speed so far; nothing in the first second, when it would only be a guess.
    private var speedText: String? {
        elapsedSeconds >= 1 && done > 0 && items != nil ? Bytes.speed(perSecond: Double(done) / elapsedSeconds) : nil
    }

    /// From the mean speed so far; nothing in the first second either.
    private var remainingText: String? {
        guard let fraction, fraction > 0, fraction < 1, elapsedSeconds >= 1 else { return nil }
        let seconds = elapsedSeconds * (1 - fraction) / fraction
        return Durations.text(seconds: seconds.rounded(.up), tenths: false) + " left"
    }

    private var itemText: String? { items.flatMap { $0 > 0 ? Counts.of($0, "item") : nil } }

    private static func drawing(_ fraction: Double, width: Int) -> String {
        let filled = Int(Double(width) * fraction)
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]"
    }
}
