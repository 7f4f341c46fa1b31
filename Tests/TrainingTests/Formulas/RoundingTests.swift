import Basics
import Testing
import Training

@Suite struct RoundingTests {
    @Test("values are rounded half away from zero", arguments: [(0.5, 1.0), (-0.5, -1.0), (0.4999, 0.0), (2.5, 3.0)])
    func halves(thousandths: Double, rounded: Double) {
        #expect(Rounding.measure(thousandths / 1000) == rounded / 1000)
    }

    @Test("each kind of value has its decimals, and nothing is minus zero")
    func decimals() {
        #expect(Rounding.pace(300.25) == 300.3)
        #expect(Rounding.measure(1.23456) == 1.235)
        #expect(Rounding.score(1.23456) == 1.2346)
        #expect(Rounding.measure(-0.0001).sign == .plus)
        #expect(Rounding.measure(1e308) == 1e308)
        #expect(Rounding.measure.json(nil) == .null && Rounding.measure.json(2) == .double(2))
    }

    @Test("labels stand in the order of the table")
    func labels() {
        #expect(
            Set<Label>([.condensed, .durationMismatch, .edgeProrated]).json.line
                == #"["durationMismatch","edgeProrated","condensed"]"#)
    }
}
