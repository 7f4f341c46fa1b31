internal import Basics
internal import Foundation

/// Draws lines on a plane to one scale, coloured by a value where places have one, with a bar that says how long a stretch
/// of it is, and the scale of the colours.
struct OutlineDrawing {
    private static let margin = 12.0
    private static let tallest = 300.0
    /// Pixels that a line must move before it is drawn on.
    private static let step = 0.8
    /// How many colours there are; each has as many places.
    private static let colours = 5

    /// Whether values are minutes, of which fewer are faster.
    let isPace: Bool

    func figure(_ lines: [[Chart.Place]], _ marks: [Chart.PlaceMark], _ chart: Chart) -> HTML {
        let places = lines.joined()
        let (west, east) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
        let (south, north) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
        let (width, height) = (ChartFrame.width - 2 * Self.margin, Self.tallest - 2 * Self.margin)
        // A route of no extent is a dot.
        let scale = min(width / max(east - west, 1), height / max(north - south, 1))
        let left = (ChartFrame.width - (east - west) * scale) / 2
        func pixel(_ place: Chart.Place) -> (x: Double, y: Double) {
            (left + (place.x - west) * scale, Self.margin + (north - place.y) * scale)
        }
        let bottom = Self.margin + (north - south) * scale
        let values = places.compactMap(\.value).sorted()
        let bounds = (1..<Self.colours).compactMap { values.isEmpty ? nil : values[values.count * $0 / Self.colours] }
        let frame = ChartFrame(height: bottom + (values.isEmpty ? 34 : 62))
        var paths: [String: String] = [:]
        for run in lines.flatMap({ runs($0, bounds) }) {
            paths[run.kind, default: ""] += Self.path(run.places.map(pixel))
        }
        var drawing = paths.sorted { $0.key < $1.key }.map { HTML.shape("path", ["class": $0.key, "d": $0.value]) }
        for mark in marks {
            let place = pixel(mark.place)
            drawing.append(
                .shape(
                    "circle", ["class": "milestone", "cx": place.x.coordinate, "cy": place.y.coordinate, "r": "2.6"]))
            drawing.append(frame.text(mark.name, x: place.x + 5, y: place.y - 4, anchor: "start"))
        }
        if let first = lines.first?.first.map(pixel) {
            drawing.append(
                .shape(
                    "circle",
                    [
                        "class": "dot side", "cx": first.x.coordinate, "cy": first.y.coordinate,
                        "r": "4",
                    ]))
        }
        drawing += Self.bar(scale, y: bottom + 20, frame)
        if let low = values.first, let high = values.last {
            drawing += legend([low] + bounds + [high], y: bottom + 40, frame, chart.unit)
        }
        return frame.figure(chart, drawing)
    }

    /// The stretches of one colour, each with the place where the next one begins.
    private func runs(_ line: [Chart.Place], _ bounds: [Double]) -> [(kind: String, places: [Chart.Place])] {
        var runs: [(kind: String, places: [Chart.Place])] = []
        for place in line {
            let kind = place.value.map { self.kind(of: $0, bounds) } ?? "line"
            if let last = runs.indices.last {
                runs[last].places.append(place)
                if runs[last].kind == kind { continue }
            }
            runs.append((kind, [place]))
        }
        return runs.filter { $0.places.count > 1 }
    }

    /// The class of a value: what is faster, or more, is warmer and wider.
    private func kind(of value: Double, _ bounds: [Double]) -> String {
        let colour = bounds.partitionPoint { $0 <= value }
        return "line w\(isPace ? Self.colours - 1 - colour : colour)"
    }

    /// The colours with the values where each begins and the last ends.
    private func legend(_ edges: [Double], y: Double, _ frame: ChartFrame, _ unit: String) -> [HTML] {
        let width = (ChartFrame.width - 2 * Self.margin - 50) / Double(Self.colours)
        func text(_ value: Double) -> String {
            guard !isPace else { return Durations.sixties(Int((value * 60).rounded())) }
            let isNarrow = (edges.last ?? 0) - (edges.first ?? 0) < 20
            return ChartText.compact(isNarrow ? (value * 10).rounded() / 10 : value.rounded())
        }
        let shown = isPace ? edges.reversed() : edges
        let swatches = (0..<Self.colours).map { colour in
            let x = Self.margin + Double(colour) * width
            return HTML.shape(
                "path",
                ["class": "line w\(colour)", "d": "M\((x + 2).coordinate) \(y.coordinate)h\((width - 4).coordinate)"])
        }
        let names = shown.enumerated().map { index, value in
            frame.text(
                text(value), x: Self.margin + Double(index) * width, y: y + 15,
                anchor: index == 0 ? "start" : "middle")
        }
        return swatches + names + [frame.text(unit, x: ChartFrame.width - Self.margin, y: y + 4, anchor: "end")]
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
