internal import Testing
internal import Training

@Suite struct DayTotalTests {
    private func watch(_ start: Double, _ end: Double, _ value: Double) -> DayTotal.Record {
        .init(start * 60, end * 60, value, sourceName: "W", rank: 1)
    }
    private func phone(_ start: Double, _ end: Double, _ value: Double) -> DayTotal.Record {
        .init(start * 60, end * 60, value, sourceName: "P", rank: 2)
    }

    @Test("the watch counts first, and the phone where the watch recorded nothing")
    func vectors() {
        #expect(
            DayTotal([watch(0, 60, 3000), phone(0, 60, 4000), phone(180, 240, 1000), watch(540, 600, 2500)]).value
                == 6500)
        #expect(DayTotal([watch(0, 45, 4500), phone(30, 60, 1200)]).value == 5100)
        #expect(DayTotal([phone(0, 10, 1000), watch(4, 5, 110)]).value == 1010)
    }

    @Test("beside it are the plain sum and that of each source")
    func sums() {
        let total = DayTotal([watch(0, 45, 4500), phone(30, 60, 1200)])
        #expect(total.naiveSum == 5700)
        #expect(total.sources.map(\.sourceName) == ["P", "W"])
        #expect(total.sources.map(\.sum) == [1200, 4500])
    }

    @Test("records that cross midnight are cut in proportion; an instant counts outside of covered time only")
    func cuts() {
        let record = DayTotal.Record(-60, 180, 240, sourceName: "W", rank: 1)
        #expect(record.clipped(to: Interval(0, 86_400))?.value == 180)
        #expect(record.clipped(to: Interval(500, 600)) == nil)
        #expect(DayTotal([watch(0, 10, 100), phone(5, 5, 7), phone(10, 10, 3)]).value == 103)
    }

    @Test("of records without length at one instant those of the first source count")
    func instants() {
        let total = DayTotal([
            watch(1, 1, 400), watch(1, 1, 100), phone(1, 1, 450), watch(3, 3, 10), phone(2, 2, 5), phone(2, 2, 6),
        ])
        #expect(total.value == 400 + 100 + 10 + 5 + 6 && total.naiveSum == 971)
        // Of one rank the first in order, which is that of the identities.
        let others = ["A", "B"].map { DayTotal.Record(60, 60, 7, sourceName: $0, rank: 3) }
        #expect(DayTotal(others).value == 7)
    }

    @Test("time is covered once")
    func coveredTime() {
        #expect(DayTotal([watch(0, 45, 1), phone(30, 60, 1), phone(90, 91, 1)]).coveredSeconds == 61 * 60)
    }

    @Test("the settings' order, what a person entered, watch, phone, others")
    func ranks() {
        func rank(_ name: String, _ kind: SourceKind, _ isEntered: Bool = false) -> Int {
            DayTotal.Record.rank(of: name, kind, isUserEntered: isEntered, order: SourceOrder(["b", "a"]))
        }
        #expect(
            [rank("b", .other), rank("a", .phone), rank("c", .other, true), rank("c", .watch), rank("c", .phone)]
                == [0, 1, 2, 3, 4])
        #expect(rank("c", .other) == 5)
        // Names are compared as those of workouts are; what is named twice keeps its first place.
        let order = SourceOrder(["Watch of R.", "Watch\u{A0}of R.", "P"])
        let folded = SampleSelection.folded("Watch of\u{A0}R.")
        #expect(order[folded] == 0 && order["P"] == 2)
        #expect(DayTotal.Record.rank(of: "c", .watch, isUserEntered: true, order: order) == 3)
    }

    @Test("the rings disagree beyond 5 %")
    func rings() {
        let total = DayTotal([watch(0, 10, 100)])
        #expect(!total.disagrees(withRing: 104))
        #expect(total.disagrees(withRing: 106))
    }
}
