internal import Basics
@testable internal import Evidence
internal import Foundation
internal import HealthModel
internal import Testing

/// The hash of a change list is that of its entries sorted as bytes, however they arrive and wherever they wait.
@Suite struct ChangeListTests {
    private struct Generator {
        var state: UInt64
        mutating func next(_ below: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % below
        }
    }

    private static func digest(_ bytes: [UInt8]) throws -> Digest256 {
        try #require(Digest256(bytes: bytes))
    }

    /// What the documentation says, word for word.
    private static func model(_ entries: [[UInt8]]) -> String {
        let sorted = entries.sorted { $0.lexicographicallyPrecedes($1) }
        let bytes = Array("hp:v2:changes:".utf8) + sorted.flatMap { $0 }
        return bytes.withByteView { Digest256(hashing: $0) }.hex
    }

    @Test(arguments: 1...40)
    func sortsAsBytes(seed: Int) throws {
        var generator = Generator(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        // Few different hashes, so that many share beginnings and some are equal.
        let alphabet = 1 + generator.next(seed % 3 == 0 ? 2 : 256)
        let shared = Int(generator.next(33))
        func hash() -> [UInt8] {
            (0..<32).map { $0 < shared ? 7 : UInt8(generator.next(alphabet)) }
        }
        let list = ChangeList(countsOrdinals: false, sortedTogether: seed % 2 == 0 ? 16 : 1 << 17)
        var entries: [[UInt8]] = []
        for _ in 0..<(seed == 35 ? 9_000 : 500) {
            let event = try #require(ChangeEvent(rawValue: UInt8(generator.next(4))))
            let (identity, version, ordinal) = (hash(), hash(), UInt32(generator.next(3)))
            try list.add(event, try Self.digest(identity), try Self.digest(version), ordinal: Int64(ordinal))
            entries.append([event.rawValue] + identity + version + withUnsafeBytes(of: ordinal.bigEndian) { Array($0) })
        }
        if seed % 2 == 0 { list.begin() }
        let result = try list.result()
        #expect(result.count == entries.count)
        #expect(result.sha256.hex == Self.model(entries))
    }

    @Test(arguments: [4, 1 << 17])
    func equalCopiesOfAFirstExportAreCounted(together: Int) throws {
        let list = ChangeList(countsOrdinals: true, sortedTogether: together)
        var entries: [[UInt8]] = []
        for round in 0..<50 {
            for name in 0..<7 where round % (name + 1) == 0 {
                let hash = [UInt8](repeating: UInt8(name), count: 32)
                try list.add(try Self.digest(hash), try Self.digest(hash))
                let ordinal = UInt32(round / (name + 1))
                entries.append([0] + hash + hash + withUnsafeBytes(of: ordinal.bigEndian) { Array($0) })
            }
        }
        #expect(try list.result().sha256.hex == Self.model(entries))
    }
}
