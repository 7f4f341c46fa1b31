internal import Foundation

/// Category values that later iOS versions print differently for one and the same fact.
///
/// It claims no more than that two texts are one stored number: iOS 16 renamed `…SleepAnalysisAsleep`,
/// iOS 18 `…MenstrualFlowLight` and its siblings, iOS 13 `…OvulationTestResultPositive`, iOS 14
/// `…AudioExposureEventLoudEnvironment`; in Apple's headers old and new name have the same value. That exports changed
/// with them is reported for sleep and menstrual flow, and inferred for the other two. It would be wrong where an app
/// meant one of the texts as something else, which HealthKit's numbers cannot express.
package struct CategorySynonyms: Sendable {
    /// Per type, from an older text to the one that the latest iOS prints.
    private let canonical: [String: [String: String]]

    /// The pairs that are built into the program, read at first use.
    package static let shared: CategorySynonyms = {
        let data = Data(PackageResources.category_synonyms_json)
        // A test asserts that the built-in file decodes; without it no values would be synonyms.
        return CategorySynonyms((try? JSONDecoder().decode([String: [String: [String]]].self, from: data)) ?? [:])
    }()

    /// - Parameter table: Per type, from the latest text to the older ones.
    init(_ table: [String: [String: [String]]]) {
        canonical = table.mapValues { synonyms in
            var older: [String: String] = [:]
            for (latest, others) in synonyms {
                for other in others { older[other] = latest }
            }
            return older
        }
    }

    /// The types that have synonyms at all, sorted.
    package var types: [String] { canonical.keys.sorted() }

    /// The latest text of a value of a type; a value without synonyms is its own.
    package func canonicalValue(type: String, value: String) -> String {
        canonical[type]?[value] ?? value
    }
}
