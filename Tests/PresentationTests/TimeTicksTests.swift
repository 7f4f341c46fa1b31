internal import Foundation
@testable internal import Presentation
internal import Testing

/// An axis of time has names that do not lie over each other, up to its end.
@Suite struct TimeTicksTests {
    @Test(arguments: [
        300.0, 1200, 1800, 2700, 3500, 3600, 7200, 10_000, 17_000, 20_000, 80_000, 300_000, 3e6, 3e7, 3e8,
    ])
    func anAxisHasAboutADozenTicksToItsEnd(seconds: Double) throws {
        let start = 1_735_734_900.0
        let ticks = TimeTicks.make(start, start + seconds, .gmt).map(\.at)
        #expect((2...24).contains(ticks.count), "\(seconds): \(ticks.count)")
        let steps = zip(ticks.dropFirst(), ticks).map { $0 - $1 }
        let last = try #require(ticks.last)
        #expect(start + seconds - last <= (steps.max() ?? 0) * 1.01, "\(seconds)")
    }
}
