/// The census: every type the simulated phone knows, in the order in which an export prints them.
enum SampleCatalog {
    /// All types; a type's `number` is its index.
    static let types: [SampleType] = {
        var builder = Builder()
        addBody(&builder)
        addActivity(&builder)
        addSports(&builder)
        addFood(&builder)
        addCategories(&builder)
        addOthers(&builder)
        return builder.types
    }()

    /// The types of which workouts have samples and statistics.
    static let recordedTypes = types.filter { $0.recording != nil }

    /// The type with the given identifier or short form (`HeartRate`, `SleepAnalysis`, `Workout`).
    static func type(named name: String) -> SampleType? {
        types.first { $0.identifier == name || shortForm($0.identifier) == name }
    }

    /// The identifier without its `HK…TypeIdentifier` prefix.
    static func shortForm(_ identifier: String) -> String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier"]
        where identifier.hasPrefix(prefix) {
            return String(identifier.dropFirst(prefix.count))
        }
        return identifier == "HKWorkoutTypeIdentifier" ? "Workout" : identifier
    }

    /// Collects the types and numbers them.
    struct Builder {
        private(set) var types: [SampleType] = []

        /// Adds a quantity type and lets the caller set its details.
        mutating func add(
            _ name: String, _ unit: String, _ pattern: Pattern, _ adjust: (inout SampleType) -> Void = { _ in }
        ) {
            let identifier = name.hasPrefix("HK") || name.contains("/") ? name : "HKQuantityTypeIdentifier" + name
            var type = SampleType(number: types.count, identifier: identifier, unit: unit, pattern: pattern)
            adjust(&type)
            types.append(type)
        }
    }
}
