extension RuleCase {
    private static let condensed = Domain.condenser
    private static func workout(_ label: String, _ start: Int, uuid: String...) -> Element {
        var element = Element.workout(
            "Run", start, end: start + 60,
            uuid.map { Element(name: "WorkoutActivity", attributes: ["uuid": .text($0), "startDate": .instant(0)]) })
        element.attributes["sourceVersion"] = .text(label)
        return element
    }

    /// Pass 3: identifiers that the export prints.
    static let stableIdentifierCases: [RuleCase] = [
        RuleCase(
            "one sync identifier, another value", [synced(nil, 0)], [synced(nil, 0, "71")], [.syncIdentifier: 1],
            changedFields: ["value": 1]),
        RuleCase(
            "the sync identifier of another source is another one",
            [synced(nil, 0), .record("T", 0, source: "P")], [synced(nil, 0, "71", source: "P"), .record("T", 0)],
            appeared: 1, disappeared: 1, [.strictKey: 1]),
        RuleCase(
            "a renamed source is the same source", [synced(nil, 0)], [synced(nil, 0, "71", source: "Uhr")],
            [.syncIdentifier: 1], changedFields: ["value": 1, "sourceName": 1]),
        RuleCase(
            "not renamed while the old name is still there",
            [synced(nil, 0), .record("T", 0)], [synced(nil, 0, "71", source: "Uhr"), .record("T", 0)], unchanged: 1,
            appeared: 1, disappeared: 1),
        RuleCase(
            "a condenser identifier links nothing", [synced(nil, 0, id: condensed)],
            [synced(nil, 0, "71", id: condensed)], appeared: 1, disappeared: 1),
        RuleCase(
            "an empty sync identifier is equal to an empty one alone",
            [synced("a", 0, id: ""), synced("b", 60, id: "S1")], [synced("c", 120, "71", id: "S2")], appeared: 1,
            disappeared: 2),
        RuleCase(
            "ties go by start", [synced("b", 60), synced("a", 0)], [synced("d", 180, "71"), synced("c", 120, "71")],
            [.syncIdentifier: 2], pairs: ["a>c", "b>d"]),
        RuleCase(
            "only what is left by start", [synced("a", 0), synced("b", 60)], [synced("c", 90)], disappeared: 1,
            [.syncIdentifier: 1], pairs: ["a>c"]),
        RuleCase(
            "the sync identifier before the external UUID",
            [
                .record(
                    mass, 0, "70", "kg", version: "a",
                    metadata: ["HKMetadataKeySyncIdentifier": "S1", "HKExternalUUID": "X"]),
                .record(mass, 60, "70", "kg", version: "b", metadata: ["HKExternalUUID": "X"]),
            ],
            [
                .record(mass, 0, "71", "kg", version: "c", metadata: ["HKExternalUUID": "X"]),
                .record(mass, 60, "71", "kg", version: "d", metadata: ["HKMetadataKeySyncIdentifier": "S1"]),
            ],
            [.syncIdentifier: 1, .externalUUID: 1], pairs: ["a>d", "b>c"]),
        RuleCase(
            "a workout that moved is known by its activity", [workout("a", 0, uuid: "U"), workout("b", 60, uuid: "V")],
            [workout("c", 120, uuid: "V"), workout("d", 180, uuid: "U")], [.activityUUID: 2], pairs: ["a>d", "b>c"]),
        RuleCase(
            "any of a workout's activities will do", [workout("a", 0, uuid: "U", "V")], [workout("b", 120, uuid: "V")],
            [.activityUUID: 1], pairs: ["a>b"]),
        RuleCase(
            "several activities are asked in ascending order",
            [workout("a", 0, uuid: "U", "V"), workout("b", 60, uuid: "V")],
            [workout("c", 120, uuid: "V"), workout("d", 180, uuid: "V", "U")], [.activityUUID: 2],
            pairs: ["a>d", "b>c"]),
    ]

    /// A body mass at 0, labelled by source version.
    private static func weight(
        _ label: String, _ value: String, _ unit: String, source: String = "Watch", creation: Int? = nil
    ) -> Element {
        .record(mass, 0, value, unit, source: source, version: label, creation: creation)
    }

    /// A body mass of another time, so that the source occurs in a state.
    private static func other(_ source: String) -> Element { .record(mass, 60, "1", "kg", source: source) }

    /// An element whose creation date is no instant.
    private static func created(_ text: String, _ element: Element) -> Element {
        var element = element
        element.attributes["creationDate"] = .text(text)
        return element
    }

    private static func sleep(_ value: String, source: String = "Watch", creation: Int? = nil) -> Element {
        .record(Domain.sleep, 0, "HKCategoryValueSleepAnalysis" + value, source: source, creation: creation)
    }

    /// Passes 4 and 5: one fact, printed otherwise.
    static let conversionCases: [RuleCase] = [
        RuleCase(
            "70 kg is 154.324 lb", [weight("a", "70", "kg")], [weight("b", "154.324", "lb")], [.unitConversion: 1],
            changedFields: ["value": 1, "unit": 1, "sourceVersion": 1]),
        RuleCase(
            "154.322 lb is outside the tolerance", [weight("a", "70", "kg")], [weight("b", "154.322", "lb")],
            appeared: 1, disappeared: 1),
        RuleCase(
            "the tolerance of the pounds is enough",
            [weight("a", "154.324", "lb")], [weight("b", "70", "kg")], [.unitConversion: 1]),
        RuleCase(
            "both values were rounded: only the sum of both tolerances reaches",
            [weight("a", "70", "kg")], [weight("b", "154.323", "lb")], [.unitConversion: 1]),
        RuleCase(
            "the same unit is no conversion", [weight("a", "70", "kg")], [weight("b", "70.00001", "kg")],
            appeared: 1, disappeared: 1),
        RuleCase(
            "a restore moves the creation date in the same gap", [weight("a", "70", "kg", creation: 5)],
            [weight("b", "154.324", "lb", creation: 6)], [.unitConversion: 1], pairs: ["a>b"]),
        RuleCase(
            "no conversion over another creation date and another source",
            [weight("a", "70", "kg", creation: 5), other("Watch")],
            [weight("b", "154.324", "lb", source: "Uhr", creation: 6), other("Watch")], unchanged: 1, appeared: 1,
            disappeared: 1),
        RuleCase(
            "a renamed source is the same source over another creation date", [weight("a", "70", "kg", creation: 5)],
            [weight("b", "154.324", "lb", source: "Uhr", creation: 6)], [.unitConversion: 1]),
        RuleCase(
            "the same creation date comes before the same source",
            [weight("a", "70", "kg", creation: 5), weight("b", "70", "kg", source: "P", creation: 6)],
            [weight("c", "154.324", "lb", creation: 6), weight("d", "154.324", "lb", source: "P", creation: 7)],
            appeared: 1, disappeared: 1, [.unitConversion: 1], pairs: ["b>c"]),
        RuleCase(
            "no conversion over another text for a creation date and another source",
            [created("soon", weight("a", "70", "kg")), other("Watch")],
            [created("later", weight("b", "154.324", "lb", source: "Uhr")), other("Watch")], unchanged: 1, appeared: 1,
            disappeared: 1),
        RuleCase(
            "a text for a creation date is not an absent one",
            [created("soon", weight("a", "70", "kg")), other("Watch")],
            [weight("b", "154.324", "lb", source: "Uhr"), other("Watch")], unchanged: 1, appeared: 1, disappeared: 1),
        RuleCase(
            "the same text is the same creation date", [created("soon", weight("a", "70", "kg"))],
            [created("soon", weight("b", "154.324", "lb"))], [.unitConversion: 1], pairs: ["a>b"]),
        RuleCase("0 kg is 0 lb", [weight("a", "0", "kg")], [weight("b", "0", "lb")], [.unitConversion: 1]),
        RuleCase(
            "both sides ascend together", [weight("a", "80", "kg"), weight("b", "70", "kg")],
            [weight("c", "154.324", "lb"), weight("d", "176.37", "lb"), weight("e", "160", "lb")], appeared: 1,
            [.unitConversion: 2], pairs: ["b>c", "a>d"]),
        RuleCase(
            "of two that fit, the smaller, in whatever order they come",
            [weight("a", "70.0004", "kg"), weight("b", "70", "kg")],
            [weight("c", "154.324", "lb"), weight("d", "154.325", "lb")], [.unitConversion: 2], pairs: ["b>c", "a>d"]),
        RuleCase(
            "the only record in the other unit has a sync identifier",
            [
                weight("a", "81.25", "kg"),
                .record(mass, 0, "154.324", "lb", version: "b", metadata: ["HKMetadataKeySyncIdentifier": "S1"]),
            ],
            [weight("c", "70", "kg")], disappeared: 1, [.unitConversion: 1], pairs: ["b>c"]),
        RuleCase(
            "Cal is kcal", [.record(Domain.energy, 0, "5", "kcal")], [.record(Domain.energy, 0, "5", "Cal")],
            [.unitConversion: 1], changedFields: ["unit": 1]),
        RuleCase(
            "a rename in the same export does not matter", [.record(mass, 0, "70", "kg")],
            [.record(mass, 0, "154.324", "lb", source: "Uhr")], [.unitConversion: 1]),
        RuleCase(
            "asleep is asleep, unspecified", [sleep("Asleep")], [sleep("AsleepUnspecified")], [.valueSynonym: 1],
            changedFields: ["value": 1]),
        RuleCase("asleep is not in bed", [sleep("Asleep")], [sleep("InBed")], appeared: 1, disappeared: 1),
        RuleCase(
            "a synonym over another creation date", [sleep("Asleep", creation: 5)],
            [sleep("AsleepUnspecified", creation: 6)], [.valueSynonym: 1]),
        RuleCase(
            "no synonym over another creation date and another source",
            [sleep("Asleep", creation: 5), other("Watch")],
            [sleep("AsleepUnspecified", source: "Uhr", creation: 6), other("Watch")], unchanged: 1, appeared: 1,
            disappeared: 1),
    ]

    /// Which items an export has, and what a parent says of them.
    static let nestingCases: [RuleCase] = [
        RuleCase(
            "a nested record that is repeated at top level counts once", [.correlation("C", 0, [same()]), same()],
            [], disappeared: 2),
        RuleCase("a nested record that stands alone counts", [.correlation("C", 0, [same()])], [], disappeared: 2),
        RuleCase(
            "equal to the top level in key but not in payload: both count",
            [.correlation("C", 0, [same("a")]), same("b")], [], disappeared: 3),
        RuleCase(
            "nested in one export, repeated at top level in the next", [.correlation("C", 0, [same()])],
            [.correlation("C", 0, [same()]), same()], unchanged: 2),
        RuleCase(
            "a member's new representation is its correlation's too",
            [.correlation("C", 0, [same("a")]), same("a")], [.correlation("C", 0, [same("b")]), same("b")],
            [.strictKey: 2], changedFields: ["sourceVersion": 1, "children": 1]),
        RuleCase(
            "food is a correlation's strict key", [.correlation("C", 0, [], metadata: ["HKFoodType": "Soup"])],
            [.correlation("C", 0, [], metadata: ["HKFoodType": "Bread"])], appeared: 1, disappeared: 1),
        RuleCase(
            "equal events of a workout are two", [.workout("Run", 0, end: 9, [event, event])],
            [.workout("Run", 0, end: 9, [event])], [.strictKey: 1], changedFields: ["children": 1]),
        RuleCase(
            "another duration is payload", [.workout("Run", 0, end: 9, duration: "1")],
            [.workout("Run", 0, end: 9, duration: "1.5")], [.strictKey: 1], changedFields: ["attributes": 1]),
        RuleCase(
            "another attribute of an unknown element is another one",
            [Element(name: "Mood", attributes: ["kind": .text("a")])],
            [Element(name: "Mood", attributes: ["kind": .text("b")])], appeared: 1, disappeared: 1),
    ]

    private static let event = Element(
        name: "WorkoutEvent", attributes: ["type": .text("Marker"), "date": .instant(3)])
}
