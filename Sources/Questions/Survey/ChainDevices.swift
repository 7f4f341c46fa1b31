internal import GRDB
internal import Store

/// The iPhones and Apple Watches of a chain: by descriptor, at each observation, and over time.
struct ChainDevices {
    /// By descriptor, those of nobody else.
    private(set) var byDescriptor: [Int64: AppleDevice] = [:]
    /// The device of the newest record (by creation date, none before all, then by system) that an observation shows, by
    /// its place.
    private var newest: [AppleDevice.Kind: [(creation: Int64, device: AppleDevice)?]] = [:]
    /// When the first record was made under each of the phone's systems.
    private var phoneSystems: [Int: Int64] = [:]

    /// - Complexity: one pass over the archive's record versions.
    init(_ db: Database, _ chain: Chain) throws {
        let names = ArchiveNames(db)
        for id in try Int64.fetchAll(db, sql: "SELECT id FROM descriptors WHERE device_id <> 0 ORDER BY id") {
            byDescriptor[id] = AppleDevice(fields: try names.descriptor(id).device)
        }
        let places = ObservationPlaces(chain)
        let ofDevices = """
            f.device_chain_id = \(chain.id) AND f.descriptor_id IN (\(byDescriptor.keys.sorted().sqlList))
            """
        let rows = try PreparedStatement(
            db,
            """
            SELECT f.descriptor_id, f.opened_observation_id, f.closed_observation_id, min(f.creation_seconds),
                max(f.creation_seconds)
            FROM full_record_versions f WHERE \(ofDevices) GROUP BY 1, 2, 3
            UNION ALL
            SELECT f.descriptor_id, r.opened_observation_id, r.closed_observation_id, min(f.creation_seconds),
                max(f.creation_seconds)
            FROM past_ranges r CROSS JOIN full_record_versions f ON f.id = r.record_version_id
            WHERE \(ofDevices) GROUP BY 1, 2, 3
            """)
        while try rows.step() {
            guard let device = byDescriptor[rows.int(0)],
                let range = places.range(opened: rows.optionalInt(1), closed: rows.int(2))
            else { continue }
            let last = try rows.instant(4) ?? .min
            if device.kind == .iPhone, let system = device.system, let first = try rows.instant(3) {
                phoneSystems[system] = min(first, phoneSystems[system] ?? first)
            }
            var known = newest[device.kind] ?? Array(repeating: nil, count: places.count)
            for place in range where Self.precedes(known[place], (last, device)) { known[place] = (last, device) }
            newest[device.kind] = known
        }
    }

    private static func precedes(
        _ known: (creation: Int64, device: AppleDevice)?, _ next: (creation: Int64, device: AppleDevice)
    ) -> Bool {
        guard let known else { return true }
        return (known.creation, known.device.system ?? 0, known.device.family ?? "")
            < (next.creation, next.device.system ?? 0, next.device.family ?? "")
    }

    /// The device of a kind at an observation, by its place from 0.
    func device(_ kind: AppleDevice.Kind, at place: Int) -> AppleDevice? { newest[kind]?[place]?.device }

    /// The devices of a kind at all observations, each once, by family and system.
    func devices(_ kind: AppleDevice.Kind) -> [AppleDevice] {
        Set((newest[kind] ?? []).compactMap { $0?.device })
            .sorted { ($0.family ?? "", $0.system ?? 0) < ($1.family ?? "", $1.system ?? 0) }
    }

    /// The family of the watch that a descriptor names; nil for everything else.
    func watch(_ descriptor: Int64) -> String? {
        guard let device = byDescriptor[descriptor], device.kind == .watch else { return nil }
        return device.family
    }

    /// The phone's system at an instant: the highest under which a record was made by then, or else the first one.
    func phoneSystem(at instant: Int64) -> Int? {
        phoneSystems.filter { $0.value <= instant }.keys.max()
            ?? phoneSystems.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}

/// Ranges of observations as places in the chain, counted from 0.
struct ObservationPlaces {
    private let places: [Int64: Int]
    let count: Int

    init(_ chain: Chain) {
        places = chain.places
        count = chain.finished.count
    }

    /// The places at which a range is visible; nil where no finished observation shows it.
    func range(opened: Int64?, closed: Int64) -> Range<Int>? {
        guard opened != closed, let first = opened.map({ places[$0] }) ?? 0 else { return nil }
        let end = places[closed] ?? count
        return first < end ? first..<end : nil
    }
}
