internal import Basics
internal import Days
internal import Presentation

extension Chart {
    /// The most columns of a chart of days.
    package static let mostColumns = 365
    /// What the table of a chart has at most.
    private static let mostRows = 60

    /// Values by day, a line for each name.
    ///
    /// More days than columns are drawn in equal spans, each with the mean of its days in a band from their smallest to their
    /// largest value; no day is left out.
    /// - Parameters:
    ///   - days: days since 1970-01-01 in order, each with a value for every name; nil for none.
    ///   - band: the name around whose values a band is drawn, and the name whose values it reaches.
    ///   - hasTable: whether the last days stand in a table as well.
    /// - Returns: nil where fewer than two days have a value.
    static func lines(
        _ title: String, _ description: String, _ names: [String], _ days: [(day: Int64, values: [Double?])],
        band: (from: Int, to: Int)? = nil, hasTable: Bool = false, most: Int = mostColumns
    ) -> Chart? {
        let known = days.filter { $0.values.contains { $0 != nil } }
        guard known.count > 1, let first = known.first?.day, let last = known.last?.day else { return nil }
        let width = (last - first) / Int64(most) + 1
        let series = names.indices.map { index -> Series in
            let spans = known.compactMap { day in
                day.values[index].map { value in
                    let begin = first + (day.day - first) / width * width
                    let bounds = [begin, begin + width].map { $0 * Int64(CivilDate.secondsPerDay) }
                    let other = band?.from == index ? day.values[band?.to ?? index] : nil
                    let range = min(value, other ?? value)...max(value, other ?? value)
                    return Span(
                        bounds[0], bounds[1], LocalDate.text(day: begin), value,
                        range: width > 1 || other != nil ? range : nil)
                }
            }
            return Series(names[index], joined(spans, addsUp: false))
        }
        var table = Table(
            hasTable ? [.exact("Day")] + names.map { .right($0.prefix(1).uppercased() + $0.dropFirst()) } : [])
        if hasTable {
            for day in days.suffix(mostRows) {
                table.addRow([LocalDate.text(day: day.day)] + day.values.map { Wording.fixed($0) })
            }
        }
        let note =
            width > 1 ? " Drawn in spans of \(Counts.of(width, "day")), each with its mean and its extremes." : ""
        return Chart(title, description + note, .spans(series), table: table)
    }

    /// Neighbours that begin at one instant as one span: with the sum or the mean of their values, in the range of all.
    static func joined(_ parts: [Span], addsUp: Bool) -> [Span] {
        var spans: [Span] = []
        var count = 0.0
        for part in parts {
            guard let last = spans.indices.last, spans[last].start == part.start else {
                spans.append(part)
                count = 1
                continue
            }
            count += 1
            spans[last].value += addsUp ? part.value : (part.value - spans[last].value) / count
            if let range = part.range, let other = spans[last].range {
                spans[last].range = min(range.lowerBound, other.lowerBound)...max(range.upperBound, other.upperBound)
            }
        }
        return spans
    }
}
