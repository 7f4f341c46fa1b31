internal import SyntheticExportGenerator

/// Scenarios that follow from a number: three to four dumps of a small phone, with what HealthKit, apps and people do.
enum SeededScenarios {
    /// Each family is a list of changes for each later dump.
    private static let families: [[[String]]] = [
        [
            ["condense=0.6", "decoy-delete=0.3", "decoy-source=0.3", "decoy-total=0.3", "decoy-category=0.2"],
            ["condense", "recondense=0.5"],
        ],
        [
            ["condense-unmarked=0.6", "decoy-delete=0.3", "decoy-source=0.3", "decoy-total=0.3"],
            ["coalesce=0.7", "recondense"],
        ],
        [["condense-lagging=0.7", "rename:watch"], ["recondense=0.5", "condense=0.5"]],
        [["condense=0.5", "rename:oldWatch", "offset:-0500"], ["condense=0.5", "restore", "decoy-delete=0.5"]],
        [
            ["coalesce=0.6", "unit:DistanceWalkingRunning:mi", "revise=3"],
            ["condense-unmarked", "decoy-total=0.4", "locale:de_DE"],
        ],
        [
            ["condense=0.4", "unit:ActiveEnergyBurned:kJ"],
            ["recondense", "unit:DistanceWalkingRunning", "decoy-source=0.5"],
        ],
        [
            ["delete=0.01", "decoy-delete=0.3"], ["condense=0.7", "duplicate=0.01", "decoy-total=0.4"],
            ["recondense", "delete=0.01"],
        ],
        [
            ["condense=0.3", "condense-unmarked=0.5", "coalesce=0.5", "decoy-category=0.3"],
            ["condense", "rewrite=0.2", "sleep-synonym"],
        ],
    ]

    /// The scenario of a number.
    static func scenario(_ number: UInt64) throws -> Scenario {
        let family = families[Int(number) % families.count]
        let plans = try family.map { list in
            DumpPlan(days: 20 + Int(number % 5) * 15, changes: try list.map { try Change(parsing: $0) })
        }
        return Scenario(
            seed: number &* 0x9E37_79B9 + 7, density: 0.004 + Double(number % 4) * 0.002,
            dumps: [DumpPlan(days: 260 + Int(number % 3) * 40)] + plans)
    }

    /// Five dumps of a phone on which units, names and creation dates changed in different gaps.
    static func distantScenario(_ number: UInt64) throws -> Scenario {
        let gaps = [
            ["rename:watch", "unit:BodyMass:lb", "condense=0.4"],
            ["condense=0.5", "delete:HeartRate=0.005", "unit:DistanceWalkingRunning:mi"],
            ["condense=0.9", "recondense=0.2", "restore", "delete=0.001"],
            ["condense=1", "rename:phone", "decoy-delete=0.01", "offset:-0500"],
        ]
        let plans = try gaps.map { list in DumpPlan(days: 60, changes: try list.map { try Change(parsing: $0) }) }
        return Scenario(
            seed: number &* 0x9E37_79B9 + 7, density: 0.006, dumps: [DumpPlan(days: 260)] + plans)
    }
}
