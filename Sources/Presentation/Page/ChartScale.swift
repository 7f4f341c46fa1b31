internal import Basics
internal import Foundation

/// Maps a range of numbers onto a range of pixels, with round ticks.
struct ChartScale {
    let low: Double
    let high: Double
    private let start: Double
    private let end: Double

    /// A scale over `values`, with zero where `fromZero`; an empty or flat range is widened so that it can be drawn.
    ///
    /// - Parameter least: the smallest range, as a share of the largest value: noise is not to fill the drawing.
    init(_ values: [Double], fromZero: Bool, least: Double = 0, pixels: (Double, Double)) {
        let finite = values.filter(\.isFinite)
        var low = finite.min() ?? 0
        var high = finite.max() ?? 0
        if fromZero {
            low = min(low, 0)
            high = max(high, 0)
        }
        let lacking = max(abs(low), abs(high)) * least - (high - low)
        if lacking > 0 { (low, high) = (low - lacking / 2, high + lacking / 2) }
        if low == high { high = low + max(abs(low) * 0.1, 1) }
        self.low = low
        self.high = high
        (start, end) = pixels
    }

    /// Where a value is.
    func pixel(_ value: Double) -> Double { start + (value - low) / (high - low) * (end - start) }

    /// At most about `count` round numbers inside the range.
    func ticks(_ count: Int) -> [Double] {
        let rough = (high - low) / Double(max(count, 1))
        let magnitude = pow(10, floor(log10(rough)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * magnitude }.first { $0 >= rough } ?? rough
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        guard first <= last, last - first < 50 else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }
}

extension Double {
    /// The number as a coordinate in SVG, with one decimal at most: short, and the same on every machine.
    var coordinate: String {
        // Sums of hostile values may be infinite, and places then are no numbers.
        let bounded = isFinite ? Swift.max(-1e6, Swift.min(1e6, self)) : 0
        return CanonicalNumber.text((bounded * 10).rounded() / 10 + 0) ?? "0"
    }
}

extension Double {
    /// Unix seconds as a whole number.
    var coordinateOfTime: String { "\(Int64(isFinite ? Swift.max(-1e15, Swift.min(1e15, self)) : 0))" }
}

/// Texts of a chart.
enum ChartText {
    /// `12,345`, `62.5`, `0.0005`: what is pointed at.
    static func exact(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        if value == value.rounded(), value.magnitude < 1e15 { return Counts.grouped(Int64(value)) }
        return value.magnitude < 10_000
            ? compact(value) : value.magnitude < 1e15 ? Counts.grouped(Int64(value.rounded())) : compact(value)
    }

    /// A rectangle as a part of a path.
    static func bar(x: Double, y: Double, width: Double, height: Double) -> String {
        let width = width.coordinate
        return "M\(x.coordinate) \(y.coordinate)h\(width)v\(height.coordinate)h-\(width)z"
    }

    /// `1200`, `0.0005`, `12k`, `3.4M`, `3e+18`.
    static func compact(_ value: Double) -> String {
        func one(_ scaled: Double, _ suffix: String) -> String {
            String(format: "%.5g", (scaled * 10).rounded() / 10) + suffix
        }
        // Sums of hostile values may be infinite.
        guard value.isFinite else { return "0" }
        return switch value.magnitude {
        case ..<10_000: CanonicalNumber.text(Double(String(format: "%.4g", value)) ?? value) ?? ""
        case ..<1_000_000: one(value / 1_000, "k")
        case ..<1_000_000_000: one(value / 1_000_000, "M")
        case ..<1e12: one(value / 1e9, "G")
        case ..<1e15: one(value / 1e12, "T")
        default: String(format: "%.2g", value)
        }
    }
}
