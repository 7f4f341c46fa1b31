package import Basics
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

extension WorkoutReader {
    /// Finds the workout that a person means: the first digits of its identity or version, `latest`, `latest~1`, `@2024-05-01`, the UUID
    /// in condensed series, or the value of a link key.
    ///
    /// - Throws: `unknownWorkout`; `ambiguousWorkout` with a list.
    package func place(of text: String) throws -> Int {
        if text == "latest" { return try stepsBack(0, text) }
        if text.hasPrefix("latest~"), let steps = Int(text.dropFirst("latest~".count)) {
            return try stepsBack(steps, text)
        }
        if text.hasPrefix("@") {
            guard let day = CivilDate.daysSince1970(String(text.dropFirst())) else { throw unknown(text) }
            return try only(index.entries.indices.filter { self.day(of: $0) == day }, text)
        }
        var found: [Int] = []
        let digits = text.lowercased()
        if (4...64).contains(digits.utf8.count) {
            found = index.entries.indices.filter { index.entries[$0].identity.hex.hasPrefix(digits) }
            if found.isEmpty {
                found = index.entries.indices.filter { index.entries[$0].version.hex.hasPrefix(digits) }
            }
            if let first = found.first,
                found.allSatisfy({ index.entries[$0].identity == index.entries[first].identity })
            {
                return try counting(found) ?? first
            }
        }
        if found.isEmpty, UUID(uuidString: text) != nil { found = try places(ofCondenser: text.uppercased()) }
        if found.isEmpty { found = try places(ofLink: text) }
        return try only(found, text)
    }

    /// Of workouts with one identity the one that counts; nil for none.
    func counting(_ places: [Int]) throws -> Int? {
        guard places.count > 1 else { return places.first }
        return try places.first { try workout($0).map { try primary(of: $0) == nil } ?? false } ?? places.first
    }

    /// The place of the workout that another observation shows as this one: of equal identity, else one that the comparison
    /// has linked with it; nil where there is none. Of several that of the same version, then of the same source.
    package func place(continuing entry: WorkoutIndex.Entry) throws -> Int? {
        var seen: Set<Digest256> = []
        var fresh = [entry.identity]
        let source = try facts[entry.descriptorID].foldedName
        while !fresh.isEmpty, seen.count < Self.mostLinks {
            for identity in fresh {
                let places = index.places(of: identity)
                if let same = places.first(where: { index.entries[$0].version == entry.version }) { return same }
                if let same = try places.first(where: { try self.source(of: $0) == source }) { return same }
                if let place = try counting(places) { return place }
            }
            seen.formUnion(fresh)
            var next: [Digest256] = []
            for identity in fresh {
                let history = try History.read(snapshot.db, chain: snapshot.chain, prefix: identity.hex)
                next += history.links.map(\.other.identity).filter { !seen.contains($0) && !next.contains($0) }
            }
            fresh = next
        }
        return nil
    }

    private static let mostLinks = 50

    private func stepsBack(_ steps: Int, _ text: String) throws -> Int {
        guard steps >= 0, steps < index.entries.count else { throw unknown(text) }
        return index.entries.count - 1 - steps
    }

    private func only(_ places: [Int], _ text: String) throws -> Int {
        guard let first = places.first else { throw unknown(text) }
        guard places.count == 1 else {
            let list = try places.prefix(10).map { place in
                let entry = index.entries[place]
                let workout = try workout(place)
                let activity = workout?.facts.activity.map(shortValue) ?? "workout"
                let offset = workout.map {
                    zone(of: $0).zone.secondsFromGMT(for: Date(timeIntervalSince1970: entry.interval.start))
                }
                let time = ISO8601.string(unixSeconds: entry.interval.start + Double(offset ?? 0)).prefix(16)
                let isCopy = try workout.map { try primary(of: $0) != nil } ?? false
                return
                    "\(activity), \(time.replacing("T", with: " "))\(isCopy ? ", an app's copy" : "") (\(index.name(of: place).prefix))"
            }
            throw HealthProbeError(
                .ambiguousWorkout, "\(places.count) workouts of observation \(observation.id) fit '\(text)'.",
                hint: "Choose one of: \(list.joined(separator: "; "))\(places.count > 10 ? "; …" : "").")
        }
        return first
    }

    private func unknown(_ text: String) -> HealthProbeError {
        HealthProbeError(
            .unknownWorkout, "Observation \(observation.id) has no workout '\(text)'.",
            hint:
                "healthprobe workouts lists them. Give the first digits of an identity, latest, latest~1, @2024-05-01, a "
                + "UUID of condensed series, or the value of a link key.")
    }

    /// The workouts of a source whose condensed series have a UUID.
    func places(ofCondenser uuid: String) throws -> [Int] {
        var found: Set<Int> = []
        for bounds in try snapshot.condensedBounds(ofWorkout: uuid, at: observation) {
            for place in index.overlapping(Interval(Double(bounds.start), Double(bounds.end))) {
                guard !found.contains(place), let workout = try workout(place) else { continue }
                if try owns(workout, uuid) { found.insert(place) }
            }
        }
        return found.sorted()
    }

    /// The workouts whose metadata, or those of their activities, have a value under a link key; without regard to case.
    private func places(ofLink value: String) throws -> [Int] {
        let keys = settings.linkKeys ?? AthleteSettings.usualLinkKeys
        return try index.entries.indices.filter { place in
            guard let row = try workout(place)?.row else { return false }
            return Self.links(of: row.metadata, row.item?["children"], keys: keys).contains {
                $0.lowercased() == value.lowercased()
            }
        }
    }

    /// The values of link keys in a workout's metadata and in those of its activities, key by key.
    package static func links(of metadata: String?, _ children: JSON?, keys: [String]) -> [String] {
        let activities = (children?.elements ?? []).filter { $0["name"]?.string == "WorkoutActivity" }
        let all = [metadata.flatMap { JSON.parse($0) } ?? .null] + activities.map { $0["metadata"] ?? .null }
        return keys.flatMap { key in
            all.flatMap { entries -> [String] in
                guard let value = entries[key] else { return [] }
                return value.string.map { [$0] } ?? value.elements.compactMap(\.string)
            }
        }
    }
}
