internal import Basics
internal import HealthModel
internal import Questions
internal import Store

/// What somebody should know who takes an export for more than it is: what a re-publication into Health cannot restore, and
/// what the observations themselves did not have.
enum ExportWarnings {
    struct Warning: JSONConvertible {
        var code: String
        var message: String
        var types: [String] = []

        var json: JSON {
            JSON.row(["code": code, "message": message])
                .adding(types.isEmpty ? [:] : ["sample_type_identifiers": types])
        }
    }

    /// All warnings of an export, in a fixed order.
    /// - Parameters:
    ///   - types: the types of its items, as they are printed.
    ///   - names: how types are printed.
    static func all(_ context: ExportContext, types: [String], names: TypeNames) throws -> [Warning] {
        var warnings = context.question.kind == .manifest ? [] : republication(types)
        let question = context.question
        if question.provenance != .full {
            warnings.append(
                Warning(
                    code: "provenanceReduced", message: reduced(question.provenance)))
        }
        if question.format == .csv {
            warnings.append(
                Warning(
                    code: "formulasGuarded",
                    message: "Cells that a spreadsheet would run as formulas have an apostrophe before them."))
        }
        for observation in context.observations { warnings += try coverage(context, observation, names) }
        return warnings
    }

    /// What a profile other than `full` means for the reader of an export.
    static func reduced(_ profile: Provenance) -> String {
        profile == .hashed
            ? "Names, device identifiers, external and sync identifiers are pseudonyms under the archive's key."
            : "Names, device identifiers, external and sync identifiers are left out."
    }

    /// What a partial observation means for the reader of an export.
    static func partial(_ observation: Observation) -> String {
        "Observation \(observation.id) ended early: what its export did not show stands as it was before."
    }

    private static func republication(_ types: [String]) -> [Warning] {
        var warnings = [
            Warning(
                code: "sourceNotRestorable",
                message:
                    "Health files records under the app that writes them: source, source version and device would be that app's."
            ),
            Warning(
                code: "creationDateNotRestorable",
                message:
                    "Health sets the creation date itself: the dates on which records were added would be new ones."),
            Warning(
                code: "sampleUUIDAbsent",
                message:
                    "An export file has no HealthKit UUIDs: the phone's own records can be found again only by their content."
            ),
        ]
        let unwritable = types.filter(isUnwritable)
        if !unwritable.isEmpty {
            warnings.append(
                Warning(
                    code: "typesNotWritable",
                    message: "Apps cannot write these types into Health: they are evidence, and could not be put back.",
                    types: unwritable))
        }
        let linked = types.filter { $0 == SampleType.workout || $0.hasPrefix("HKCorrelationTypeIdentifier") }
        if !linked.isEmpty {
            warnings.append(
                Warning(
                    code: "relationshipsNotRestorable",
                    message:
                        "Health links records itself: members, routes and samples of these would have to be linked anew.",
                    types: linked))
        }
        return warnings
    }

    /// Types that HealthKit lets no app save.
    private static func isUnwritable(_ type: String) -> Bool {
        type == SampleType.activitySummary || type == SampleType.electrocardiogram
            || type.hasPrefix(SampleType.elementPrefix)
            || type.hasPrefix(SampleType.clinicalPrefix) || type.hasPrefix("HKCharacteristicTypeIdentifier")
            || type.hasSuffix("Event") && type.hasPrefix("HKCategoryTypeIdentifier")
            || [
                "HKQuantityTypeIdentifierAppleExerciseTime", "HKQuantityTypeIdentifierAppleStandTime",
                "HKQuantityTypeIdentifierAppleMoveTime", "HKCategoryTypeIdentifierAppleStandHour",
                "HKQuantityTypeIdentifierWalkingHeartRateAverage", "HKQuantityTypeIdentifierAppleWalkingSteadiness",
            ].contains(type)
    }

    private static func coverage(
        _ context: ExportContext, _ observation: Observation, _ names: TypeNames
    ) throws -> [Warning] {
        let types = context.question.types
        var warnings: [Warning] = []
        if observation.status == .partial {
            warnings.append(Warning(code: "partialObservation", message: partial(observation)))
        }
        let unverified = try context.snapshot.unverifiedTypes(of: observation.id)
        for status in [TypeStatus.incomplete, .excluded] {
            let types = unverified.filter { $0.status == status && (types?.contains($0.type) ?? true) }
                .map { names.printed($0.type) }
            guard !types.isEmpty else { continue }
            warnings.append(
                Warning(
                    code: "\(status.rawValue)Types",
                    message: "Observation \(observation.id) did not verify these types (\(status.rawValue)).",
                    types: types))
        }
        let quarantined = try context.snapshot.count(.quarantine, of: [observation.id])
        if quarantined > 0 {
            warnings.append(
                Warning(
                    code: "quarantinedItems",
                    message:
                        "\(quarantined) items of observation \(observation.id)'s file could not be read and are no samples."
                ))
        }
        return warnings
    }
}
