internal import Basics
package import Foundation
package import GRDB
internal import HealthModel
package import Store

/// In whose days a chain is aggregated, and why in these.
package struct ChainZone: Sendable, Equatable {
    /// Where the zone comes from, in the order in which these are asked.
    package enum Origin: String, Sendable {
        /// The first `--time-zone` in chain order.
        case argument
        /// The `HKTimeZone` that most items name.
        case metadata
        /// The offset that the first export prints.
        case offset
    }

    /// An IANA identifier, or an offset such as `+05:45`.
    package var name: String
    package var origin: Origin

    /// The zone for dates on the command line and in tables; UTC where this machine does not know it.
    package var timeZone: TimeZone {
        if origin != .offset { return TimeZone(identifier: name) ?? .gmt }
        return TimeZone(secondsFromGMT: Int(Self.seconds(name))) ?? .gmt
    }

    /// The zone that follows from the finished observations of a chain, whatever the order in which they came.
    ///
    /// - Returns: nil where the chain has none.
    package static func rule(_ db: Database, _ chain: Chain) throws -> ChainZone? {
        guard let first = chain.finished.first else { return nil }
        // As it was recorded, whether or not this machine knows it: an archive's zone is the same on every machine.
        if let given = chain.finished.lazy.compactMap(\.timeZone).first {
            return ChainZone(name: given, origin: .argument)
        }
        let ids = chain.finished.map(\.id).sqlList
        let counts = try Row.fetchCursor(
            db,
            sql: """
                SELECT time_zone FROM time_zone_counts WHERE import_id IN (\(ids))
                GROUP BY time_zone ORDER BY sum(item_count) DESC, time_zone
                """)
        if let row = try counts.next() { return ChainZone(name: try row.get("time_zone"), origin: .metadata) }
        let offset = first.offsetSeconds ?? chain.finished.lazy.compactMap(\.offsetSeconds).first ?? 0
        return ChainZone(name: ISO8601.offsetText(offset), origin: .offset)
    }

    /// The zone and the offsets that a chain's aggregates were made with; nil before its first observation.
    package static func recorded(_ db: Database, chain: Int64) throws -> (zone: ChainZone, clock: ZoneClock)? {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT time_zone, origin, offsets FROM chain_zones WHERE device_chain_id = ?",
                arguments: [chain])
        else { return nil }
        guard let name = try? row.get("time_zone") as String, let origin = try? Origin(rawValue: row.get("origin")),
            let clock = try? ZoneClock(recorded: row.get("offsets"))
        else { throw HealthProbeError.damagedRow("chain_zones", chain) }
        return (ChainZone(name: name, origin: origin), clock)
    }

    /// Records the zone with its offsets as this machine knows them, and returns these; where it does not know the zone,
    /// with the offsets that the archive has.
    ///
    /// - Throws: `inputOutput` where neither does.
    func record(_ db: Database, chain: Int64) throws -> ZoneClock {
        let clock = try offsets(db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO chain_zones (device_chain_id, time_zone, origin, offsets) VALUES (?, ?, ?, ?)",
            arguments: [chain, name, origin.rawValue, clock.recorded])
        return clock
    }

    private func offsets(_ db: Database) throws -> ZoneClock {
        if origin == .offset { return ZoneClock(offsetSeconds: Self.seconds(name)) }
        if let zone = TimeZone(identifier: name) { return ZoneClock(zone) }
        let recorded = try String.fetchOne(
            db, sql: "SELECT offsets FROM chain_zones WHERE time_zone = ? ORDER BY device_chain_id",
            arguments: [name])
        guard let clock = recorded.flatMap({ ZoneClock(recorded: $0) }) else {
            throw HealthProbeError(
                .inputOutput,
                "This machine does not know the time zone \(name), in whose days the chain is aggregated.",
                hint: "Install its table of time zones (tzdata), or a newer one.")
        }
        return clock
    }

    /// Whether a text can be counted as an IANA name: one with a place in it that this machine knows, or UTC.
    static func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        return (text.contains("/") || text == "UTC") && TimeZone(identifier: text) != nil
    }

    /// What `ISO8601.offsetText` wrote.
    static func seconds(_ text: String) -> Int64 {
        // A damaged archive's hours may be any number.
        let parts = text.dropFirst().split(separator: ":").compactMap { Int32($0) }.map { Int64($0) }
        let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
