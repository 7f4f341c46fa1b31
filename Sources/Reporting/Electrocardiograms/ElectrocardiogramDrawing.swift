internal import Basics
internal import Foundation
package import Presentation
package import Training

/// Draws an ECG as clinicians read it: 25 mm a second and 10 mm a millivolt on a millimetre grid, in strips of ten seconds.
///
/// The drawing's size is in millimetres, so that it prints to scale on A4 across. Its colours are its own: paper is white in
/// a dark theme, too.
package enum ElectrocardiogramDrawing {
    /// Millimetres a second, and a millivolt.
    private static let (speed, gain) = (25.0, 10.0)
    private static let stripSeconds = 10.0
    /// Millimetres beside the strips; the pulse of one millivolt stands in the left one.
    private static let margin = 10.0
    /// Millimetres for the line over the strips.
    private static let head = 8.0
    /// The most strips; a recording has three.
    private static let mostStrips = 60
    /// Millimetres above and below the zero line: at least this, and at most.
    private static let (leastReach, mostReach) = (15.0, 50.0)

    /// A file of its own.
    package static func file(_ one: Electrocardiogram, _ trace: ElectrocardiogramTrace) -> [UInt8] {
        Array(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg(one, trace).text + "\n").utf8)
    }

    /// The `svg` element.
    package static func svg(_ one: Electrocardiogram, _ trace: ElectrocardiogramTrace) -> HTML {
        let count = max(1, Int(trace.sampleRate * stripSeconds))
        let strips = stride(from: 0, to: trace.microvolts.count, by: count).prefix(mostStrips).map {
            trace.microvolts[$0..<min($0 + count, trace.microvolts.count)]
        }
        let above = reach(trace.microvolts.max() ?? 0)
        let below = reach(-(trace.microvolts.min() ?? 0))
        let width = stripSeconds * speed + 2 * margin
        let strip = above + below
        let height = head + strip * Double(max(1, strips.count)) + margin / 2
        let title =
            "ECG, \(ISO8601.string(unixSeconds: one.recordedAt)), \(one.lead ?? "lead not stated"), "
            + "\(Wording.fixed(trace.sampleRate, 0)) Hz, 25 mm/s, 10 mm/mV"
        let drawing = strips.enumerated().flatMap { index, samples in
            line(samples, rate: trace.sampleRate, zero: head + strip * Double(index) + above, above, below)
        }
        return .element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": "\(millimetres(width))mm",
                "height": "\(millimetres(height))mm", "viewBox": "0 0 \(millimetres(width)) \(millimetres(height))",
                "role": "img", "aria-label": title,
            ],
            [.element("title", [:], HTML(title)), .element("desc", [:], HTML(ElectrocardiogramDocument.notice))]
                + [
                    .shape(
                        "rect",
                        ["width": millimetres(width), "height": millimetres(height), "fill": "#ffffff"]),
                    grid(width, from: head, to: height - margin / 2),
                    .element(
                        "text",
                        [
                            "x": millimetres(margin), "y": millimetres(head - 3), "font-size": "3.5",
                            "font-family": "sans-serif", "fill": "#202020",
                        ], HTML(title)),
                ] + drawing)
    }

    /// Millimetres that a strip has on one side of its zero line, on thick lines of the grid.
    private static func reach(_ microvolts: Double) -> Double {
        guard microvolts.isFinite else { return mostReach }
        let wanted = ((microvolts / 1000 * gain + 2) / 5).rounded(.up) * 5
        return min(mostReach, max(leastReach, wanted))
    }

    /// Thin lines each millimetre, thick ones each five.
    private static func grid(_ width: Double, from top: Double, to bottom: Double) -> HTML {
        func lines(_ step: Double, _ colour: String, _ stroke: String) -> HTML {
            var path = ""
            for x in stride(from: margin, through: width - margin, by: step) {
                path += "M\(millimetres(x)) \(millimetres(top))V\(millimetres(bottom))"
            }
            for y in stride(from: top, through: bottom, by: step) {
                path += "M\(millimetres(margin)) \(millimetres(y))H\(millimetres(width - margin))"
            }
            return .shape("path", ["d": path, "fill": "none", "stroke": colour, "stroke-width": stroke])
        }
        return HTML([lines(1, "#f6d5d5", "0.1"), lines(5, "#e59a9a", "0.2")])
    }

    /// The pulse of one millivolt and a strip of the trace; what lies outside the strip is drawn on its border.
    private static func line(
        _ samples: ArraySlice<Double>, rate: Double, zero: Double, _ above: Double, _ below: Double
    ) -> [HTML] {
        let pulse =
            "M2 \(millimetres(zero))H4V\(millimetres(zero - gain))H8V\(millimetres(zero))H\(millimetres(margin))"
        var path = ""
        for (place, sample) in samples.enumerated() where sample.isFinite {
            let x = margin + Double(place) / rate * speed
            let y = zero - min(above, max(-below, sample / 1000 * gain))
            path += "\(path.isEmpty ? "M" : "L")\(millimetres(x)) \(millimetres(y))"
        }
        return [pulse, path].filter { !$0.isEmpty }.map {
            .shape(
                "path",
                [
                    "d": $0, "fill": "none", "stroke": "#101010", "stroke-width": "0.25", "stroke-linejoin": "round",
                ])
        }
    }

    /// With at most two decimals, without zeros at the end.
    private static func millimetres(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
