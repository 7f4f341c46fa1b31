internal import ExportReading
internal import HealthModel

/// The types of an export, bounded because memory is kept for each.
struct TypeCensus {
    private var seen: Set<ExactText> = []

    /// - Throws: `tooManyTypes` where there are more than any phone has.
    mutating func add(_ page: ItemPage) throws {
        seen.formUnion(page.newTypes.map { ExactText($0.1) })
        seen.formUnion(page.quarantined.compactMap { $0.sampleType.map(ExactText.init(_:)) })
        try check()
    }

    /// Adds the types that a document shows and the selection leaves out.
    ///
    /// - Throws: `tooManyTypes`.
    mutating func add(leftOut types: Set<ExactText>) throws {
        seen.formUnion(types)
        try check()
    }

    private func check() throws {
        let most = ExportReading.Limits.types
        guard seen.count > most else { return }
        throw HealthProbeError(
            .tooManyTypes, "The export names more than \(most) different types; no phone writes so many.",
            hint: "Check where the file comes from.")
    }
}
