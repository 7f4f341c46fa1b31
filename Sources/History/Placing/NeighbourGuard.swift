internal import GRDB
internal import HealthModel
internal import Store

/// Refuses an export that is probably another person's or another phone's than its neighbour in date.
///
/// Counted are items that both show, of types that both took and neither carried over. Of some
/// kinds nothing is counted: their identity is a name, a date or an hour, which any two phones share.
struct NeighbourGuard {
    private let db: Database
    private let neighbour: Observation
    /// What the neighbour knows of each type.
    private let rows: [Int64: TypeRunRow]
    /// The types of which items count, with their names.
    private let countable: [Int64: String]
    /// The names of the types that one of the two left out or carried over.
    private let isCarried: (String) -> Bool

    /// - Parameter account: what the new export showed; its rows are stored.
    init(_ db: Database, neighbour: Observation, _ account: ObservationAccount) throws {
        self.db = db
        self.neighbour = neighbour
        rows = try TypeRunRow.read(db, importID: neighbour.id)
        countable = try Self.countableTypes(db)
        let theirs = try ObservationAccount(db, neighbour)
        isCarried = { account.carriesOver($0) || theirs.carriesOver($0) }
    }

    // MARK: - What counts

    private static let uncountedKinds: Set<ItemKind> = [.characteristic, .activitySummary, .unknown]
    /// Its value is whether the person stood in an hour.
    private static let standHour = "HKCategoryTypeIdentifierAppleStandHour"

    private static func countableTypes(_ db: Database) throws -> [Int64: String] {
        let types = try Row.fetchAll(
            db,
            sql: """
                SELECT t.id, t.type_identifier, k.id AS row_id, k.kind FROM sample_types t
                LEFT JOIN record_versions k ON k.id = (SELECT id FROM record_versions
                    WHERE sample_type_id = t.id AND sample_id IS NULL ORDER BY start_seconds DESC LIMIT 1)
                """)
        var countable: [Int64: String] = [:]
        for type in types {
            let name: String = try type.get("type_identifier")
            let kind = try (type.get("row_id") as Int64?).map { try Self.kind(type, ofRow: $0) }
            if isCountable(name, kind) { countable[try type.get("id")] = name }
        }
        return countable
    }

    private static func kind(_ row: Row, ofRow id: Int64) throws -> ItemKind {
        guard let stored = try? row.get("kind") as Int64, let number = UInt8(exactly: stored),
            let kind = ItemKind(rawValue: number)
        else { throw HealthProbeError.damagedRow("record_versions", id) }
        return kind
    }

    /// - Parameter kind: nil for a type of which the archive has no row.
    private static func isCountable(_ type: String, _ kind: ItemKind?) -> Bool {
        if let kind { return type != standHour && !uncountedKinds.contains(kind) }
        return ![standHour, SampleType.activitySummary].contains(type) && !type.hasPrefix(SampleType.elementPrefix)
            && !type.hasPrefix(SampleType.characteristicPrefix)
    }

    private func sum(_ counts: [Int64: Int64], isCompared: Bool = true) -> Int64 {
        countable.reduce(0) { isCompared && isCarried($1.value) ? $0 : $0 + (counts[$1.key] ?? 0) }
    }

    // MARK: - Refusals

    /// Refuses a complete export without any item that counts.
    ///
    /// - Parameters:
    ///   - shown: the items that it shows, by type.
    ///   - leftOut: the types that it shows and the selection leaves out.
    func requireItems(_ shown: [Int64: Int64], leftOut: Set<ExactText>) throws {
        let visible = sum(rows.mapValues(\.visible), isCompared: false)
        guard visible > 0, sum(shown, isCompared: false) == 0 else { return }
        let counted = Set(countable.values.map(ExactText.init(_:)))
        // A type that the archive sees for the first time is in no table yet.
        let known = try Set(
            String.fetchAll(db, sql: "SELECT type_identifier FROM sample_types").map(ExactText.init(_:)))
        let leavesOutItems = leftOut.contains {
            counted.contains($0) || !known.contains($0) && Self.isCountable($0.text, nil)
        }
        guard !leavesOutItems else { return }
        throw HealthProbeError(
            .unrelatedExport,
            "This export shows no records, and the observation nearest to it in date (\(neighbour.id)) shows \(visible).",
            hint: "Make a new export on the phone; with --allow-unrelated this one is imported all the same, and these "
                + "records are then no longer visible.")
    }

    /// Refuses an export that shares less than one in a hundred items with what its neighbour has visible.
    ///
    /// - Parameters:
    ///   - shown: the items that it shows, by type.
    ///   - appeared: those of them that the neighbour does not have.
    func requireShared(_ shown: [Int64: Int64], appeared: ChangeTally) throws {
        var shared = shown
        for type in shown.keys { shared[type, default: 0] -= appeared[type].appeared }
        try requireShared(sum(shared), of: min(sum(shown), sum(rows.mapValues(\.visible))))
    }

    /// Refuses an export of whose items a later neighbour shows less than one in a hundred.
    ///
    /// - Parameters:
    ///   - shown: the items that the export shows, by type.
    ///   - shared: the items that the neighbour shows and the export's state has, by type.
    func requireShared(_ shown: [Int64: Int64], byLater shared: [Int64: Int64]) throws {
        try requireShared(sum(shared), of: min(sum(shown), sum(rows.mapValues(\.read))))
    }

    private func requireShared(_ shared: Int64, of smaller: Int64) throws {
        guard smaller > 0, shared * 100 < smaller else { return }
        throw HealthProbeError(
            .unrelatedExport,
            "This export shares \(shared) of \(smaller) records with the observation nearest to it in date "
                + "(\(neighbour.id)); it is probably another person's or another phone's.",
            hint: "Use --chain NAME for another phone, another --archive for another person, or --allow-unrelated.")
    }

    /// Refuses an export that states another date of birth or biological sex than its neighbour.
    ///
    /// - Parameters:
    ///   - chain: the chain's id.
    ///   - isVisible: the condition on `c` that a row is visible at the new observation.
    ///   - wasVisible: the condition on `c` that a row is visible at the neighbour.
    func requireSamePerson(chain: Int64, isVisible: String, wasVisible: String) throws {
        for (type, field) in [
            ("HKCharacteristicTypeIdentifierDateOfBirth", "date of birth"),
            ("HKCharacteristicTypeIdentifierBiologicalSex", "biological sex"),
        ] where !isCarried(type) {
            let own = try values(of: type, chain, isVisible)
            let theirs = try values(of: type, chain, wasVisible)
            guard !own.isEmpty, !theirs.isEmpty, own.isDisjoint(with: theirs) else { continue }
            throw HealthProbeError(
                .unrelatedExport,
                "This export states another \(field) than the observation nearest to it in date (\(neighbour.id)); it is "
                    + "probably another person's.",
                hint:
                    "Use another --archive for another person. Where the \(field) was corrected in Health between the two "
                    + "exports, import this one with --allow-unrelated.")
        }
    }

    /// The values of a characteristic that are visible and set.
    private func values(of type: String, _ chain: Int64, _ condition: String) throws -> Set<String> {
        try String.fetchSet(
            db,
            sql: """
                SELECT CAST(json_extract(f.extras, '$.attributes.value') AS TEXT) AS printed
                FROM sample_types t CROSS JOIN record_versions k ON k.sample_type_id = t.id AND k.sample_id IS NULL
                CROSS JOIN record_versions c ON c.id = k.id OR c.sample_id = k.id
                JOIN full_record_versions f ON f.id = c.id
                WHERE t.type_identifier = ? AND k.kind = ? AND k.device_chain_id = ? AND \(condition)
                    AND printed <> '' AND printed NOT LIKE '%NotSet'
                """,
            arguments: [type, ItemKind.characteristic.rawValue, chain])
    }
}
