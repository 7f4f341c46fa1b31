internal import Testing
internal import Training

@Suite struct ImpactFigureTests {
    private func figure(
        _ before: Double?, _ after: Double?, _ restored: Double?, _ materiality: ImpactFigure.Materiality = .absolute(1)
    ) -> ImpactFigure {
        ImpactFigure("tss", before: before, after: after, restored: restored, .score, materiality)
    }

    @Test("a difference is what consolidation did and the rest, and both add up")
    func attribution() {
        let found = figure(91.5, 65.8, 91.2)
        #expect(found.difference == -25.7 && found.byConsolidation == -25.4 && found.byOther == -0.3)
        #expect(found.isChanged && found.isMaterial)
        let same = figure(50, 50, 50)
        #expect(!same.isChanged && !same.isMaterial && same.size == 0)
        let cancelled = figure(50, 50, 52)
        #expect(cancelled.isChanged && cancelled.byConsolidation == -2 && cancelled.byOther == 2)
    }

    @Test("a side without a value has no differences, and matters")
    func missing() {
        let found = figure(nil, 50, 50)
        #expect(found.difference == nil && found.byConsolidation == nil && found.byOther == nil)
        #expect(found.isChanged && found.isMaterial && found.size == 0)
        #expect(!figure(nil, nil, nil).isChanged)
    }

    @Test("what consolidation alone took has no other cause")
    func others() {
        #expect(!figure(231, nil, 231).differsOtherwise && figure(231, nil, nil).differsOtherwise)
        #expect(figure(nil, 50, 50).differsOtherwise && !figure(50, 40, 50).differsOtherwise)
    }

    @Test(
        "thresholds",
        arguments: [
            (ImpactFigure.Materiality.absolute(2), 10.0, 12.0, true), (.absolute(2), 10, 11.9, false),
            (.relative(0.01), 1000, 1010, true), (.relative(0.01), 1000, 1009, false),
            (.halved, 12, 6, true), (.halved, 12, 7, false), (.halved, 6, 12, false),
        ])
    func thresholds(materiality: ImpactFigure.Materiality, before: Double, after: Double, isMaterial: Bool) {
        #expect(figure(before, after, before, materiality).isMaterial == isMaterial)
    }

    @Test("a summary says what becomes of a figure")
    func summary() {
        func summary(_ figures: [ImpactFigure], consolidated: Int, isResolution: Bool = false) -> ImpactSummary {
            ImpactSummary(
                "tss", of: .days, figures, compared: 10, consolidated: consolidated, isResolution: isResolution)
        }
        let none = summary([figure(50, 51, 51)], consolidated: 4)
        #expect(summary([figure(50, 51, 51)], consolidated: 0).verdict == .notAffected)
        #expect(
            none.verdict == .survives && none.p95 == 0 && none.changed == 1 && none.material == 1 && none.median == 0)
        let small = summary([figure(50, 50.5, 50)], consolidated: 1)
        #expect(small.verdict == .survives && small.p95 == 0.5 && small.material == 0)
        let shifted = summary([figure(100, 80, 100), figure(50, 49.5, 50)], consolidated: 2)
        #expect(shifted.verdict == .shifts && shifted.median == 10.25 && shifted.p95 == 20)
        #expect(shifted.meanSigned == -10.25 && abs((shifted.meanRelative ?? 0) + 0.105) < 1e-12)
        #expect(summary([figure(12, 1, 12)], consolidated: 1, isResolution: true).verdict == .resolutionLost)
        // The best 20 minutes of a condensed ride: no longer known, though the originals would say them.
        let gone = summary([figure(231, nil, 231)], consolidated: 1)
        #expect(gone.verdict == .resolutionLost && gone.changed == 0)
        #expect(summary([figure(231, nil, nil)], consolidated: 0).verdict == .notAffected)
        let others = [figure(100, 80, 100), figure(50, 50.5, 50)]
        for other in others {
            #expect(summary([other, figure(231, nil, 231)], consolidated: 2).verdict == .resolutionLost)
        }
        #expect(summary([], consolidated: 0).median == nil)
    }

    @Test("why the records of a series differ")
    func causes() {
        func reading(_ start: Double, _ value: Double) -> Reading { Reading(start, start, value) }
        let before = [reading(0, 1), reading(10, 2), reading(20, 3)]
        #expect(ReadingChanges.causes(before, before).isEmpty)
        #expect(ReadingChanges.causes([reading(0, 1), reading(0, 2)], [reading(0, 2), reading(0, 1)]).isEmpty)
        #expect(ReadingChanges.causes(before, Array(before.dropLast())) == [.disappeared])
        #expect(ReadingChanges.causes(Array(before.dropLast()), before) == [.appearedLater])
        #expect(ReadingChanges.causes(before, [reading(0, 1), reading(10, 5), reading(20, 3)]) == [.valueRevised])
        // 0.0312345 km and 0.0194082 mi, as exports print one distance.
        #expect(ReadingChanges.causes([reading(0, 31.2345)], [reading(0, 0.0194082 * 1609.344)]).isEmpty)
        #expect(ReadingChanges.causes([reading(0, 31.2345)], [reading(0, 0.0194092 * 1609.344)]) == [.valueRevised])
        let condensed = Reading(0, 15, 1.5, isCondensed: true)
        #expect(ReadingChanges.causes(before, [condensed, reading(20, 3)]) == [.notRestorable])
    }
}
