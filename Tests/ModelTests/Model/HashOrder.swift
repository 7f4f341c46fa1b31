/// The two hashes by which the archive names a sample, in lower-case hex.
struct SampleHashes: Hashable, Comparable {
    let identity: String
    let version: String

    static func < (first: SampleHashes, second: SampleHashes) -> Bool {
        (first.identity, first.version) < (second.identity, second.version)
    }
}

/// Where the model takes the order of hashes from, which only the last tie of a pass needs.
///
/// The model does not compute the contract's hashes: that would be a second implementation of their encoding, not of
/// the rules. It learns them from the archive's own listings; where it could not, a pairing that depends on them is
/// marked as undecided and compared by its counts alone.
enum HashOrder {
    /// Canonical text stands for the hash: for hand-computed cases and for the model's own archive.
    case canonicalText
    /// Hashes learned from the archive under test.
    case learned([Sample: SampleHashes])

    /// The hashes of a sample, where they are known.
    func hashes(_ sample: Sample) -> SampleHashes? {
        switch self {
        case .canonicalText: SampleHashes(identity: sample.identity, version: sample.canonicalText)
        case .learned(let table): table[sample]
        }
    }

    /// The order of ties: start, end, identity, version. Unknown hashes fall back to canonical text.
    func sorted(_ samples: [Sample]) -> [Sample] {
        samples.map { sample in
            let known = hashes(sample) ?? SampleHashes(identity: sample.identity, version: sample.canonicalText)
            return (sample, sample.start ?? Int.min, sample.end ?? Int.min, known)
        }
        .sorted { ($0.1, $0.2, $0.3) < ($1.1, $1.2, $1.3) }
        .map(\.0)
    }

    /// Whether the order among these samples is known, or is of no consequence because they are equal copies.
    func decides(_ samples: [Sample]) -> Bool {
        Set(samples).count < 2 || samples.allSatisfy { hashes($0) != nil }
    }
}
