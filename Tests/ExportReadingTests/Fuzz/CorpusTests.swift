import Basics
import Foundation
import FuzzTargets
import Testing

/// Every seed of the fuzzers' corpus goes through its target without libFuzzer; a broken promise would trap.
struct CorpusTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fuzzing/Corpus")

    @Test(arguments: FuzzTarget.allCases)
    func everySeedPasses(target: FuzzTarget) throws {
        let folder = Self.folder.appendingPathComponent(target.rawValue)
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(seeds.count >= 10)
        for seed in seeds {
            let bytes = try Data(contentsOf: seed)
            bytes.withByteView { target.run($0) }
            // Cut off and damaged in the middle too.
            Data(bytes.prefix(bytes.count * 2 / 3)).withByteView { target.run($0) }
            var damaged = bytes
            if let middle = damaged.indices.dropFirst(bytes.count / 2).first { damaged[middle] ^= 0xFF }
            damaged.withByteView { target.run($0) }
        }
    }
}
