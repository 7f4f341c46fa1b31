import Testing

/// One rule of docs/identity.md and docs/design.md, as two tiny exports and what must come of them: the rules by example, worked out by hand.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let before: [Element]
    let after: [Element]
    var unchanged = 0
    var appeared = 0
    var disappeared = 0
    var evidence: [Evidence: Int] = [:]
    /// Who is paired with whom, by source version, where that is the point: `"a>b"`.
    var pairs: [String]?
    /// How often each field changed, where that is the point.
    var changedFields: [String: Int]?

    init(
        _ description: String, _ before: [Element], _ after: [Element], unchanged: Int = 0, appeared: Int = 0,
        disappeared: Int = 0, _ evidence: [Evidence: Int] = [:], pairs: [String]? = nil,
        changedFields: [String: Int]? = nil
    ) {
        testDescription = description
        self.before = before
        self.after = after
        self.unchanged = unchanged
        self.appeared = appeared
        self.disappeared = disappeared
        self.evidence = evidence
        self.pairs = pairs
        self.changedFields = changedFields
    }

    static let all = exactCases + strictKeyCases + stableIdentifierCases + conversionCases + nestingCases

    // Short words for the tables below.
    static let mass = Domain.mass
    static let watch: [String: String] = ["name": "Apple Watch", "software": "10.1"]

    /// A body mass of 70 kg at 0: one strict key for many samples. The label is the source version.
    static func same(
        _ label: String? = nil, source: String = "Watch", device: [String: String]? = nil, creation: Int? = nil,
        metadata: [String: String] = [:]
    ) -> Element {
        .record(
            mass, 0, "70", "kg", source: source, version: label, device: device, creation: creation, metadata: metadata)
    }

    /// A body mass at an instant with a sync identifier.
    static func synced(
        _ label: String? = nil, _ start: Int, _ value: String = "70", id: String = "S1", source: String = "Watch"
    ) -> Element {
        .record(
            mass, start, value, "kg", source: source, version: label, metadata: ["HKMetadataKeySyncIdentifier": id])
    }
}

/// The table, run through the model.
@Suite("Rules by example")
struct RuleTests {
    @Test("rule", arguments: RuleCase.all)
    func rule(_ example: RuleCase) {
        let before = SampleReader.samples(me: [:], items: example.before)
        let after = SampleReader.samples(me: [:], items: example.after)
        let comparison = Comparison(before, after, order: .canonicalText)
        #expect(comparison.unchanged.count == example.unchanged)
        #expect(comparison.appeared.count == example.appeared)
        #expect(comparison.disappeared.count == example.disappeared)
        #expect(Dictionary(grouping: comparison.pairs, by: \.evidence).mapValues(\.count) == example.evidence)
        if let pairs = example.pairs {
            let found = comparison.pairs.map { "\($0.before.sourceVersion ?? "-")>\($0.after.sourceVersion ?? "-")" }
            #expect(found.sorted() == pairs.sorted())
        }
        if let fields = example.changedFields {
            var found: [String: Int] = [:]
            for pair in comparison.pairs {
                for field in pair.before.changedFields(to: pair.after) { found[field, default: 0] += 1 }
            }
            #expect(found == fields)
        }
    }
}
