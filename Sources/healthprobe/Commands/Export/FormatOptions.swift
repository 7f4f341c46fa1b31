internal import Archive
internal import ArgumentParser
internal import Exporting

/// How the items of a structured export are written.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How items are written: json, ndjson, csv.", valueName: "format"))
    var format = "json"

    @Option(
        help: ArgumentHelp(
            "guarded: cells that a spreadsheet would run get an apostrophe; lossless: they stay.", valueName: "profile")
    )
    var csvProfile: String?

    func validate() throws {
        guard let format = ExportFormat(rawValue: format) else {
            throw ValidationError("--format takes json, ndjson or csv, not \(self.format).")
        }
        guard let csvProfile else { return }
        guard format == .csv else { throw ValidationError("--csv-profile goes with --format csv.") }
        guard ["guarded", "lossless"].contains(csvProfile) else {
            throw ValidationError("--csv-profile takes guarded or lossless, not \(csvProfile).")
        }
    }

    /// The format.
    var chosen: ExportFormat { ExportFormat(rawValue: format) ?? .json }
}
