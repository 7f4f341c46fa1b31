internal import Foundation

/// Draws lines on a plane to one scale, with a bar that says how long a stretch of it is.
enum OutlineDrawing {
    private static let margin = 10.0
    private static let tallest = 300.0
    /// Pixels that a line must move before it is drawn on.
    private static let step = 0.8

    static func figure(_ lines: [[Chart.Place]], _ chart: Chart) -> HTML {
        let places = lines.joined()
        let (west, east) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
        let (south, north) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
        let (width, height) = (ChartFrame.width - 2 * margin, tallest - 2 * margin)
        // A route of no extent is a dot.
        let scale = min(width / max(east - west, 1), height / max(north - south, 1))
        let left = (ChartFrame.width - (east - west) * scale) / 2
        func pixel(_ place: Chart.Place) -> (x: Double, y: Double) {
            (left + (place.x - west) * scale, margin + (north - place.y) * scale)
        }
        let bottom = margin + (north - south) * scale
        let frame = ChartFrame(height: bottom + 34)
        var drawing = [
            HTML.shape("path", ["class": "line", "d": lines.map { path($0.map(pixel)) }.joined()])
        ]
        if let first = lines.first?.first.map(pixel) {
            drawing.append(
                .shape(
                    "circle",
                    [
                        "class": "dot side", "cx": first.x.coordinate, "cy": first.y.coordinate,
                        "r": "4",
                    ]))
        }
        return frame.figure(chart, drawing + bar(scale, y: bottom + 20, frame))
    }

    /// A line through pixels; what lies closer to the last one drawn is left out.
    private static func path(_ pixels: [(x: Double, y: Double)]) -> String {
        var text = ""
        var last: (x: Double, y: Double)?
        for (index, pixel) in pixels.enumerated() {
            if let last, index < pixels.count - 1, hypot(pixel.x - last.x, pixel.y - last.y) < step { continue }
            text += "\(last == nil ? "M" : "L")\(pixel.x.coordinate) \(pixel.y.coordinate)"
            last = pixel
        }
        return text
    }

    /// A bar of a round number of metres, at most a third of the drawing.
    private static func bar(_ scale: Double, y: Double, _ frame: ChartFrame) -> [HTML] {
        let most = ChartFrame.width / 3 / scale
        let magnitude = pow(10, floor(log10(most)))
        let metres = [5, 2, 1].map { $0 * magnitude }.first { $0 <= most } ?? magnitude
        let end = margin + metres * scale
        let name = metres < 1000 ? "\(ChartText.compact(metres)) m" : "\(ChartText.compact(metres / 1000)) km"
        return [
            .shape(
                "path",
                [
                    "class": "axis",
                    "d": "M\(margin.coordinate) \(y.coordinate)H\(end.coordinate)",
                ]),
            frame.text(name, x: end + 6, y: y + 4, anchor: "start"),
        ]
    }
}
