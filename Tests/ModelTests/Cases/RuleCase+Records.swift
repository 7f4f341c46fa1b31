extension RuleCase {
    /// Pass 1, and what counts as equal at all.
    static let exactCases: [RuleCase] = [
        RuleCase("equal copies are unchanged", [same()], [same()], unchanged: 1),
        RuleCase(
            "copies are counted: one of three goes", [same(), same(), same()], [same(), same()], unchanged: 2,
            disappeared: 1),
        RuleCase("copies are counted: two more come", [same()], [same(), same(), same()], unchanged: 1, appeared: 2),
        RuleCase("70 and 7e+01 are one number", [same()], [.record(mass, 0, "7e+01", "kg")], unchanged: 1),
        RuleCase("-0 is 0", [.record(mass, 0, "-0", "kg")], [.record(mass, 0, "0", "kg")], unchanged: 1),
        RuleCase(
            "no value and an empty fact differ", [.record(Domain.mindful, 0)], [.record(Domain.mindful, 0, "0")],
            appeared: 1, disappeared: 1),
        RuleCase(
            "another value is another sample", [same()], [.record(mass, 0, "71", "kg")], appeared: 1,
            disappeared: 1),
        RuleCase(
            "another type is another sample", [same()], [.record("Other", 0, "70", "kg")], appeared: 1,
            disappeared: 1),
    ]

    /// Pass 2: one strict key, and which copy is which.
    static let strictKeyCases: [RuleCase] = [
        RuleCase(
            "a rename is a new representation", [same()], [same(source: "Uhr")], [.strictKey: 1],
            changedFields: ["sourceName": 1]),
        RuleCase(
            "a restore moves the creation date", [same(creation: 5)], [same(creation: 9)], [.strictKey: 1],
            changedFields: ["creationDate": 1]),
        RuleCase(
            "as many as possible are paired, the rest goes", [same("a"), same("b"), same("c")], [same("d")],
            disappeared: 2, [.strictKey: 1], pairs: ["a>d"]),
        RuleCase(
            "pass 1 comes first: the exact copy is not paired elsewhere", [same("a"), same("b")],
            [same("b"), same("c")], unchanged: 1, [.strictKey: 1], pairs: ["a>c"]),
        RuleCase(
            "stable id before source, device and creation date",
            [same("a", creation: 5, metadata: ["HKExternalUUID": "X"]), same("b", creation: 9)],
            [same("c", creation: 5), same("d", creation: 9, metadata: ["HKExternalUUID": "X"])],
            [.strictKey: 2], pairs: ["a>d", "b>c"]),
        RuleCase(
            "same source, device and creation date before creation date alone",
            [same("a", source: "P", device: watch, creation: 5), same("b", device: watch, creation: 5)],
            [same("c", device: watch, creation: 5), same("d", source: "P", creation: 5)],
            [.strictKey: 2], pairs: ["b>c", "a>d"]),
        RuleCase(
            "creation date before source",
            [same("a", creation: 5), same("b", source: "P", creation: 9)],
            [same("c", creation: 9), same("d", source: "P", creation: 5)],
            [.strictKey: 2], pairs: ["a>d", "b>c"]),
        RuleCase(
            "source before the version hash",
            [same("a", creation: 5), same("b", source: "P", creation: 6)],
            [same("c", source: "P", creation: 7), same("d", creation: 8)],
            [.strictKey: 2], pairs: ["a>d", "b>c"]),
        RuleCase(
            "a renamed source is the same source",
            [same("a", creation: 5), same("b", source: "P", creation: 6)],
            [same("c", source: "P", creation: 7), same("d", source: "Uhr", creation: 8)],
            [.strictKey: 2], pairs: ["a>d", "b>c"]),
        RuleCase(
            "last, ascending by version hash", [same("b", creation: 5), same("a", creation: 6)],
            [same("d", source: "P", creation: 7), same("c", source: "P", creation: 8), same("x", creation: 3)],
            appeared: 1, [.strictKey: 2], pairs: ["a>x", "b>c"]),
        RuleCase(
            "metadata is a set", [same(metadata: ["k": "1"])],
            [Element(name: "Record", attributes: same().attributes, children: [.entry("k", "1"), .entry("k", "1")])],
            unchanged: 1),
        RuleCase(
            "device text is compared by its fields", [same(device: watch)], [same(device: ["name": "Apple Watch"])],
            [.strictKey: 1], changedFields: ["device": 1]),
        RuleCase(
            "an unknown attribute is payload", [same()],
            [.record(mass, 0, "70", "kg", extra: ["novelty": .text("x")])], [.strictKey: 1],
            changedFields: ["attributes": 1]),
        RuleCase(
            "two summaries of one day", [.summary("2024-05-01", energy: "1", goal: "2")],
            [.summary("2024-05-01", energy: "1", goal: "3"), .summary("2024-05-01", energy: "1", goal: "2")],
            unchanged: 1, appeared: 1),
    ]
}
