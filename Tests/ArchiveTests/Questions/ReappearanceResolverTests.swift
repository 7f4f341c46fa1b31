@testable internal import Questions
internal import Testing

/// Which removed rows of one sample count as returned.
@Suite struct ReappearanceResolverTests {
    private func closing(_ row: Int64, at position: Int64, payload: Int64) -> ReappearanceResolver.Event {
        .init(position: position, kind: .closing, rowID: row, payload: payload)
    }

    private func opening(_ row: Int64, at position: Int64, payload: Int64) -> ReappearanceResolver.Event {
        .init(position: position, kind: .opening, rowID: row, payload: payload)
    }

    @Test func aRowTakesThePlaceOfItselfElseOfItsVersionElseOfTheLast() {
        let gone = [
            closing(1, at: 2, payload: 1), closing(2, at: 2, payload: 2), closing(3, at: 3, payload: 3),
            closing(4, at: 3, payload: 4),
        ]
        #expect(ReappearanceResolver(gone).returned.isEmpty)
        #expect(ReappearanceResolver(gone + [opening(1, at: 4, payload: 1)]).returned == [1])
        #expect(ReappearanceResolver(gone + [opening(9, at: 4, payload: 2)]).returned == [2])
        // Of those that went last the first.
        #expect(ReappearanceResolver(gone + [opening(9, at: 4, payload: 9)]).returned == [3])
        let others = [8, 9, 10].map { opening($0, at: 4, payload: $0) }
        #expect(ReappearanceResolver(gone + others).returned == [1, 3, 4])
    }

    /// Looking through all that went for each that came would take hours.
    @Test(.timeLimit(.minutes(1))) func manyCopiesThatReturnCostWhatTheyAre() {
        let count: Int64 = 200_000
        let gone = (0..<count).map { closing($0, at: 2, payload: 0) }
        let back = (count..<2 * count).map { opening($0, at: 3, payload: count) }
        let found = ReappearanceResolver(gone + back)
        #expect(found.returned.count == Int(count) && found.releases.isEmpty)
    }
}
