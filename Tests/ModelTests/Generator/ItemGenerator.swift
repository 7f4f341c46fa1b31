import TestSupport

/// Random items from the tiny domain.
struct ItemGenerator {
    var random: SeededGenerator

    /// One to three top-level items that belong together: mostly a single record.
    mutating func items() -> [Element] {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<76: return [record()]
        case ..<84: return correlation()
        case ..<94: return [workout()]
        case ..<98: return [summary()]
        default: return [unknown()]
        }
    }

    /// A record of one of four types.
    mutating func record() -> Element {
        let type = random.pick([Domain.mass, Domain.energy, Domain.sleep], else: Domain.mass)
        let start = instant()
        let end = random.chance(80) ? start : max(start, instant())
        var value: String?
        var unit: String?
        if let units = Domain.units[type], let base = units.first {
            let printedUnit = random.pick(random.chance(70) ? [base] : units, else: base)
            let amount = random.pick(Domain.amounts[type] ?? [], else: 1)
            value = UnitTable.convert(amount, from: base, to: printedUnit).map(UnitTable.printed)
            unit = printedUnit
        } else {
            value = random.pick(Domain.sleepValues, else: nil)
        }
        let isMindful = type == Domain.sleep && random.chance(20)
        return .record(
            isMindful ? Domain.mindful : type, start, isMindful ? nil : value, unit, end: end,
            source: source(), version: random.chance(85) ? nil : random.pick(Domain.versions, else: nil),
            device: random.pick(Domain.devices, else: nil), creation: creation(),
            metadata: random.pick(Domain.metadata, else: [:]),
            extra: random.chance(3) ? ["novelty": .text("seen"), "since": .instant(start)] : [:])
    }

    /// A correlation whose members are mostly repeated at top level.
    private mutating func correlation() -> [Element] {
        let members = (0..<Int.random(in: 1...2, using: &random)).map { _ in record() }
        var metadata = random.pick(Domain.metadata, else: [:])
        if random.chance(50) { metadata["HKFoodType"] = random.pick(["Soup", "Bread"], else: "Soup") }
        let type = "HKCorrelationTypeIdentifierFood"
        let outer = Element.correlation(
            type, instant(), members, source: source(), creation: creation(), metadata: metadata)
        return [outer] + members.filter { _ in random.chance(75) }
    }

    /// A workout with statistics, events, an activity and metadata.
    private mutating func workout() -> Element {
        let start = instant()
        let end = random.pick([start + 1800, start + 3600], else: start)
        var children: [Element] = []
        for (key, value) in random.pick(Domain.metadata, else: [:]).sorted(by: { $0.key < $1.key }) {
            children.append(.entry(key, value))
        }
        if random.chance(60) {
            children.append(
                Element(
                    name: "WorkoutStatistics",
                    attributes: [
                        "type": .text(Domain.energy), "startDate": .instant(start), "endDate": .instant(end),
                        "sum": .text(random.pick(["101.5", "202.5"], else: "")), "unit": .text("kcal"),
                    ]))
        }
        for _ in 0..<random.pick([0, 0, 1, 2], else: 0) {
            children.append(
                Element(
                    name: "WorkoutEvent",
                    attributes: ["type": .text("HKWorkoutEventTypeMarker"), "date": .instant(start + 60)],
                    children: random.chance(30) ? [.entry("lap", "1")] : []))
        }
        for uuid in random.chance(40) ? random.pick(Domain.activities, else: []) : [] {
            children.append(
                Element(
                    name: "WorkoutActivity",
                    attributes: [
                        "uuid": .text(uuid), "startDate": .instant(start),
                        "endDate": .instant(end),
                    ]))
        }
        if random.chance(15) { children.append(record()) }
        let activity = random.pick(["HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeYoga"], else: "")
        return .workout(
            activity, start, end: end, children, source: source(), creation: creation(),
            duration: random.chance(50) ? random.pick(["30.5", "50.48292259971301"]) : nil)
    }

    private mutating func summary() -> Element {
        .summary(
            random.pick(["2024-05-01", "2024-05-02"], else: ""), energy: random.pick(["310", "320.5"], else: ""),
            goal: random.pick(["400", "500"], else: ""))
    }

    private mutating func unknown() -> Element {
        Element(
            name: "StateOfMind",
            attributes: ["kind": .text(random.pick(["calm", "busy"], else: "")), "when": .instant(instant())],
            children: random.chance(40) ? [Element(name: "Label", attributes: ["text": .text("good")])] : [])
    }

    mutating func source() -> String { random.pick(Domain.sources, else: "Watch") }
    /// A creation date, now and then one that is no instant.
    mutating func creationDate() -> AttributeValue? {
        random.chance(20) ? .text(random.pick(["soon", "later"], else: "")) : creation().map { .instant($0) }
    }

    mutating func creation() -> Int? { random.pick(Domain.creations, else: nil) }
    private mutating func instant() -> Int { random.pick(Domain.instants, else: Domain.epoch) }
}
