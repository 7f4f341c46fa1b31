internal import Basics
package import GRDB
internal import HealthModel
package import Store

/// Finds the observation that a person means: an id, `first`, `latest`, `latest~N` or `@2024-05-01`.
///
/// Failed, cancelled and unfinished imports have no visible state and are passed over.
package enum ObservationResolver {
    /// How many observations and chains an error's hint lists.
    private static let listed = 10

    /// The chain of a name.
    ///
    /// - Throws: `unknownChain` with the names that exist.
    package static func chain(_ db: Database, name: String) throws -> Chain {
        if let chain = try Chain.read(db, name: name) { return chain }
        let all = try String.fetchAll(db, sql: "SELECT name FROM device_chains ORDER BY name")
        let names = all.prefix(listed)
        // An archive whose first import has not got far has no chain yet, which is no mistake of the person asking.
        if names.isEmpty, name == "default" { return Chain(id: 0, name: name, finished: [], all: []) }
        throw HealthProbeError(
            .unknownChain,
            "There is no chain called '\(name)'." + NearestNames.question(NearestNames.of(name, among: all)),
            hint: names.isEmpty
                ? "Import an export first: healthprobe import export.zip"
                : "The archive has: \(names.joined(separator: ", ")). Choose one with --chain.")
    }

    /// The observation that `text` names in a chain.
    ///
    /// - Throws: `unknownObservation` with a hint that lists what exists.
    package static func resolve(_ text: String, in chain: Chain) throws -> Observation {
        let finished = chain.finished
        guard let first = finished.first, let last = finished.last else {
            throw HealthProbeError(
                .unknownObservation, "The chain \(chain.name) has no finished observation.",
                hint: "Import an export first: healthprobe import export.zip")
        }
        if text == "first" { return first }
        if text == "latest" { return last }
        if text.hasPrefix("latest~") { return try stepsBack(text, in: chain) }
        if text.hasPrefix("@") { return try onDay(text, in: chain) }
        guard isDigits(text), let id = Int64(text) else {
            let day = CivilDate.daysSince1970(text) == nil ? [] : ["@" + text]
            let nearest = NearestNames.of(text, among: ["first", "latest", "latest~1"], most: 1)
            throw unknown(
                "There is no observation called '\(text)'." + NearestNames.question(day.isEmpty ? nearest : day), chain)
        }
        if let found = finished.first(where: { $0.id == id }) { return found }
        if let unfinished = chain.all.first(where: { $0.id == id }) {
            throw unknown("Observation \(id) has the status \(unfinished.status.rawValue) and no visible state.", chain)
        }
        throw unknown("The chain \(chain.name) has no observation \(id).", chain)
    }

    /// The two sides of a comparison; by default `latest` and the one before.
    ///
    /// - Throws: `unknownObservation` where the later one is the first of its chain and no other side is named.
    package static func pair(
        from: String?, to: String?, in chain: Chain
    ) throws -> (from: Observation, to: Observation) {
        let later = try resolve(to ?? "latest", in: chain)
        return (try from.map { try resolve($0, in: chain) } ?? before(later, in: chain), later)
    }

    /// The observation before another, which is the earlier side where none is given.
    private static func before(_ later: Observation, in chain: Chain) throws -> Observation {
        if let previous = chain.previous(of: later) { return previous }
        guard chain.finished.count > 1 else {
            throw HealthProbeError(
                .unknownObservation, "The chain \(chain.name) has only one observation; there is nothing to compare.",
                hint: "Import a later export first.")
        }
        throw HealthProbeError(
            .unknownObservation,
            "Observation \(later.id) is the first of its chain; there is none before it to compare with.",
            hint: "Name a later one, or both sides; healthprobe timeline shows the order.")
    }

    private static func stepsBack(_ text: String, in chain: Chain) throws -> Observation {
        let digits = String(text.dropFirst("latest~".count))
        guard isDigits(digits), let steps = Int(digits) else {
            throw unknown("There is no observation called '\(text)'. A number follows latest~, as in latest~1.", chain)
        }
        guard steps < chain.finished.count else {
            throw unknown("There is no observation \(steps) before the latest one.", chain)
        }
        return chain.finished[chain.finished.count - 1 - steps]
    }

    /// The last observation at or before the end of a day, each observation by the clock of its own export.
    private static func onDay(_ text: String, in chain: Chain) throws -> Observation {
        guard let day = CivilDate.daysSince1970(String(text.dropFirst())) else {
            throw unknown("'\(text.dropFirst())' is not a day. Write it as @2024-05-01.", chain)
        }
        let found = chain.finished.last { self.day(of: $0) <= day }
        guard let found else { throw unknown("There is no observation at or before \(text.dropFirst()).", chain) }
        return found
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    }

    private static func unknown(_ message: String, _ chain: Chain) -> HealthProbeError {
        let shown = chain.finished.suffix(listed)
            .map { "\($0.id) (\(CivilDate.text(daysSince1970: day(of: $0))))" }.joined(separator: ", ")
        let more = chain.finished.count > listed ? "… " : ""
        return HealthProbeError(
            .unknownObservation, message,
            hint: "The chain \(chain.name) has \(more)\(shown); also first, latest, latest~1, @2024-05-01.")
    }

    /// The day of an observation by the clock of its own export.
    private static func day(of observation: Observation) -> Int {
        CivilDate.dayAndSecond(observation.observedAt + (observation.offsetSeconds ?? 0)).day
    }
}
