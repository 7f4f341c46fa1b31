@testable internal import Questions
internal import Testing

@Suite struct GroupTallyTests {
    /// What is behind the interval's end is not covered; an instant at the end is.
    @Test func coverageEndsWithTheInterval() {
        let records = Tallies.tally(Tallies.members([1, 2]), high: 119)
        #expect(records.covered == 120 && records.overlap == 119)
        let instants = Tallies.tally(Tallies.members([1, 2, 3], seconds: 0), high: 60)
        #expect(instants.covered == 3 && instants.overlap == 3)
    }
}
