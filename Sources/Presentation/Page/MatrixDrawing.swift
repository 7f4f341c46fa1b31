/// Draws a matrix of numbers as cells of five shades, from the smallest to the largest; marked cells have a frame.
///
/// Rows with short names, such as numbers, have them at the first and the last one; others each have their own.
enum MatrixDrawing {
    private static let shades = 5

    static func figure(_ matrix: Chart.Matrix, _ chart: Chart) -> HTML {
        let isNamed = matrix.rows.contains { $0.count > shortName }
        let left = isNamed ? 168.0 : 40.0
        let width = min(28, (ChartFrame.width - left - 4) / Double(max(matrix.columns.count, 1)))
        let height = isNamed ? 12 : max(4, min(14, 260 / Double(max(matrix.rows.count, 1))))
        let frame = ChartFrame(height: Double(matrix.rows.count) * height + 26)
        let most = matrix.values.joined().compactMap(\.self).max() ?? 0
        var paths = [String](repeating: "", count: shades)
        var marks = ""
        for (row, values) in matrix.values.enumerated() {
            for (column, value) in values.enumerated() {
                let x = left + Double(column) * width
                let cell = ChartText.bar(
                    x: x, y: Double(row) * height + 4, width: max(width - 0.6, 0.6), height: height - 1)
                if let value, value > 0, most > 0 {
                    // Sums of hostile values may be infinite, and their share is no number.
                    let share = value / most
                    paths[share < 1 ? min(shades - 1, Int(share * Double(shades))) : shades - 1] += cell
                }
                if matrix.isMarked[row][column] { marks += cell }
            }
        }
        let cells = paths.enumerated().filter { !$0.element.isEmpty }.map { shade, path in
            let opacity = (Double(shade + 1) / Double(shades)).coordinate
            return HTML.shape("path", ["class": "heat", "fill-opacity": opacity, "d": path])
        }
        let marked = marks.isEmpty ? [] : [HTML.shape("path", ["class": "mark", "d": marks])]
        return frame.figure(chart, cells + marked + labels(matrix, frame, left: left, size: (width, height)))
    }

    /// The names of the rows, and of the first and the last column.
    private static func labels(
        _ matrix: Chart.Matrix, _ frame: ChartFrame, left: Double, size: (width: Double, height: Double)
    ) -> [HTML] {
        let bottom = Double(matrix.rows.count) * size.height
        var labels: [HTML] = []
        if left > 40 {
            labels = matrix.rows.enumerated().map { row, name in
                let short = name.count > longestName ? name.prefix(longestName - 1) + "…" : name
                return frame.text(short, x: left - 4, y: Double(row) * size.height + 13, anchor: "end")
            }
        } else if let first = matrix.rows.first {
            labels.append(frame.text(first, x: left - 4, y: 13, anchor: "end"))
        }
        if left <= 40, matrix.rows.count > 1, bottom > 24, let last = matrix.rows.last {
            labels.append(frame.text(last, x: left - 4, y: bottom + 2, anchor: "end"))
        }
        if let first = matrix.columns.first {
            labels.append(frame.text(first, x: left, y: bottom + 18, anchor: "start"))
        }
        if matrix.columns.count > 1, let last = matrix.columns.last {
            let room = Double((matrix.columns.first ?? "").count + last.count) * letter
            let end = left + max(Double(matrix.columns.count) * size.width, room)
            labels.append(frame.text(last, x: end, y: bottom + 18, anchor: "end"))
        }
        return labels
    }

    /// In letters: what fits beside the cells without more room, and with it.
    private static let (shortName, longestName) = (6, 24)
    /// The width that a letter of a label takes, about.
    private static let letter = 7.0
}
