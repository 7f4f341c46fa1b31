internal import HealthModel

/// What tools that read `export.xml` back into Health are known to lose of a sample type.
///
/// From the source of the open importer that is most in use: it writes quantities, categories and workouts, reads a value
/// as a number whatever it says, gives every sample its own source and today's creation date, and passes over samples
/// longer than four days.
enum ImporterLosses {
    /// The losses by name, for a type with these counts.
    static func names(_ type: String, _ counts: ExportTally.TypeCounts) -> [String] {
        guard counts.isRecord || type == SampleType.workout else { return ["notImported"] }
        var names = ["source", "creationDate"]
        if counts.isRecord {
            if counts.textValues > 0 { names.append("symbolicValues") }
            if counts.withoutCreationDate > 0 { names.append("missingCreationDate") }
        } else {
            names.append("routes")
        }
        if counts.long > 0 { names.append("longerThanFourDays") }
        if counts.reversed > 0 { names.append("endBeforeStart") }
        return names
    }
}
