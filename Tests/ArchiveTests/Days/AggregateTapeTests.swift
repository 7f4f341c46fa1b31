@testable internal import Days
internal import Foundation
@testable internal import Store
internal import Testing

/// What a first import notes of each record comes back in order, from memory and from the spill file.
@Suite struct AggregateTapeTests {
    @Test(arguments: [0, 1, 1 << 15, 1 << 15 + 1, 100_000])
    func everythingComesBackOnce(_ count: Int) throws {
        let tape = AggregateTape()
        func entry(_ index: Int) -> AggregateTape.Entry {
            .init(
                start: Int64(index), end: .min + Int64(index), number: Double(index) / 7,
                pair: Int32(truncatingIfNeeded: index), hasNumber: Int32(index % 2))
        }
        for _ in 0..<2 {
            for index in 0..<count { try tape.append(entry(index)) }
            var wrong = 0
            var place = 0
            try tape.drain { found in
                let wanted = entry(place)
                if found.start != wanted.start || found.end != wanted.end || found.number != wanted.number
                    || found.pair != wanted.pair || found.hasNumber != wanted.hasNumber
                {
                    wrong += 1
                }
                place += 1
            }
            #expect(place == count && wrong == 0)
        }
    }

    /// The file lies in the private folder of temporary files, and nowhere else, and has no name.
    @Test func theFileIsInTheArchivesFolder() throws {
        let tape = AggregateTape()
        let entry = AggregateTape.Entry(start: 0, end: 0, number: 0, pair: 0, hasNumber: 0)
        for _ in 0..<100_000 { try tape.append(entry) }
        let folder = URL(fileURLWithPath: TemporaryFolder.path).resolvingSymlinksInPath().path
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(open.contains { $0.hasPrefix("\(folder)/spill-") && $0.hasSuffix("(deleted)") }, "\(folder): \(open)")
        withExtendedLifetime(tape) {}
    }
}
