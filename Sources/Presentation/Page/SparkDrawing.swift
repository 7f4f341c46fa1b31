/// Draws a row of numbers as small bars without axes, for a cell of a table.
enum SparkDrawing {
    private static let width = 96.0
    private static let height = 18.0

    /// - Parameter title: what the numbers are.
    static func html(_ numbers: [Double?], title: String) -> HTML {
        let most = numbers.compactMap(\.self).max() ?? 0
        guard most > 0 else { return .empty }
        let step = width / Double(numbers.count)
        var path = ""
        for (index, number) in numbers.enumerated() {
            guard let number, number > 0 else { continue }
            let size = max(number / most * height, 1)
            path += ChartText.bar(x: Double(index) * step, y: height - size, width: max(step * 0.8, 0.4), height: size)
        }
        return .element(
            "svg",
            [
                "class": "spark", "viewBox": "0 0 \(width.coordinate) \(height.coordinate)",
                "role": "img", "aria-label": title,
            ], .shape("path", ["class": "bar first", "d": path]))
    }
}
