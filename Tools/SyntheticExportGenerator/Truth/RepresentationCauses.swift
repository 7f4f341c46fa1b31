/// Says why one and the same item is printed differently in two dumps.
enum RepresentationCauses {
    /// The causes, in a fixed order; empty if the item's identity and payload are the same.
    static func causes(
        _ old: Sample, _ new: Sample, _ type: SampleType, phone: SimulatedPhone, before: Dump, after: Dump
    ) -> [String] {
        var result: [String] = []
        if namesSource(type), before.names[new.source.rawValue] != after.names[new.source.rawValue] {
            result.append(new.source == .health ? "locale" : "rename")
        }
        if changesUnit(new, type, phone: phone, before: before, after: after) { result.append("unitConversion") }
        if type.isSleep, Int(new.value) == SampleCatalog.asleepUnspecified,
            before.hasOldSleepNames != after.hasOldSleepNames
        {
            result.append("valueSynonym")
        }
        if old.revision != new.revision {
            result.append("thirdPartyRewrite")
        } else if old.series?.version != new.series?.version {
            result.append("recondensed")
        } else if old.creation != new.creation {
            result.append("restore")
        }
        if type.element == .electrocardiogram, before.locale.prefix(2) != after.locale.prefix(2) {
            result.append("locale")
        }
        if changesForm(new, type, phone: phone, before: before.version.number, after: after.version.number) {
            result.append("exportVersion")
        }
        return result
    }

    /// The types of the items inside a workout: route and effort score.
    static func innerItems(_ sample: Sample, phone: SimulatedPhone, dump: Dump) -> [String] {
        guard let workout = phone.workout(of: sample) else { return [] }
        var result: [String] = []
        if workout.hasRoute, dump.version.number >= 8 { result.append("HKWorkoutRouteTypeIdentifier") }
        if workout.hasEffort, dump.version.number >= 14 {
            result.append("HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")
        }
        return result
    }

    /// Whether the item is printed with other parts in another export version.
    private static func changesForm(
        _ sample: Sample, _ type: SampleType, phone: SimulatedPhone, before: Int, after: Int
    ) -> Bool {
        guard before != after else { return false }
        func crosses(_ version: Int) -> Bool { (before < version) != (after < version) }
        switch type.element {
        case .workout:
            let workout = phone.workout(of: sample)
            let hasPower = workout?.legs.contains { $0.activity == .running || $0.activity == .cycling } ?? false
            return crosses(8) || crosses(12) || (crosses(14) && workout?.hasEffort ?? false)
                || (crosses(13) && hasPower && workout?.isWatchs ?? false)
        case .activitySummary: return crosses(11)
        case .audiogram: return crosses(14)
        case .record:
            if case .beats = type.metadata { return crosses(8) }
            return false
        default: return false
        }
    }

    private static func namesSource(_ type: SampleType) -> Bool {
        switch type.element {
        case .record, .correlation, .workout, .audiogram: true
        case .activitySummary, .clinicalRecord, .visionPrescription, .electrocardiogram: false
        }
    }

    private static func changesUnit(
        _ sample: Sample, _ type: SampleType, phone: SimulatedPhone, before: Dump, after: Dump
    ) -> Bool {
        func differs(_ name: String) -> Bool {
            guard let number = SampleCatalog.type(named: name)?.number else { return false }
            return before.units[number] != after.units[number]
        }
        switch type.element {
        case .record: return before.units[type.number] != after.units[type.number]
        case .activitySummary: return differs("ActiveEnergyBurned")
        case .workout:
            if differs("ActiveEnergyBurned") { return true }
            let workout = phone.workout(of: sample)
            // Its own distance, before version 12 as one total, and a triathlon's statistics of three.
            if workout?.activity == .triathlon, after.version.number < 12 { return differs("DistanceWalkingRunning") }
            return workout?.legs.contains { $0.activity.distanceType.map(differs) ?? false } ?? false
        case .correlation: return type.group == "meal" && differs("DietaryEnergyConsumed")
        default: return false
        }
    }
}
