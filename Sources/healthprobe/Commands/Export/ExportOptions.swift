internal import ArchiveFile
internal import ArchiveReading
internal import ArgumentParser
internal import Exporting
internal import Foundation
internal import HealthModel

/// The options that all exports share: where to, of what, and how much of whose names.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The output path; it must not exist, or needs --force. - writes a zip to standard output.",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace an earlier export at the output path.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Names and identifiers: full, hashed (as pseudonyms), none (left out).", valueName: "profile"))
    var provenance: String?

    @Option(help: .types, transform: NamedArgument.read) var type: [String] = []

    @Option(help: .since) var since: String?

    @Option(help: .until) var until: String?

    @Option(
        help: ArgumentHelp(
            "Include what hashed and none leave out: routes, clinical; separate with commas.",
            valueName: "parts"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp("Sign the export with this private SSH key.", valueName: "key"), completion: .file())
    var sign: String?

    @Flag(help: "Print counts, expected size and warnings; write nothing.")
    var preview = false

    func validate() throws {
        if output == nil, !preview {
            throw ValidationError("Name the output with --output, or use --preview.")
        }
        if isStream, force { throw ValidationError("--force goes with an output path, not with --output -.") }
        _ = try profile(default: .full)
        _ = try parts()
    }

    /// Whether the export goes to standard output, as one zip.
    var isStream: Bool { output == BagExport.Options.standardOutput && !preview }

    /// Refuses what a kind of export cannot be narrowed by: it would be in the envelope without effect.
    func refuse(interval: Bool, types: Bool, by command: String) throws {
        if interval, since != nil || until != nil {
            throw ValidationError("\(command) covers whole observations; it takes neither --since nor --until.")
        }
        if types, !type.isEmpty { throw ValidationError("\(command) covers all types; it does not take --type.") }
    }

    /// The provenance profile.
    /// - Throws: where there is none of that name.
    func profile(default profile: Provenance) throws -> Provenance {
        guard let provenance else { return profile }
        guard let chosen = Provenance(rawValue: provenance) else {
            throw ValidationError("--provenance takes full, hashed or none, not \(provenance).")
        }
        return chosen
    }

    /// What is asked for that hashed and none leave out otherwise.
    /// - Throws: for anything but routes and clinical.
    func parts() throws -> [Provenance.Part] {
        try ListArgument.values(include, option: "--include")
    }

    /// The full identifiers of the types asked for, nil for all; says which arguments no type answers to.
    func typeIdentifiers(_ db: ArchiveDatabase, _ common: CommonOptions) throws -> [String]? {
        guard !type.isEmpty else { return nil }
        try common.noteUnknownTypes(type, db)
        return try RecordPage.typeIdentifiers(db).filter(TypeFilter(type).matches)
    }

    /// The interval asked for, as Unix seconds; days are read in UTC.
    /// - Throws: `usage` for what is neither a day nor an instant, and where it ends before it begins.
    func interval() throws -> (since: Int64?, until: Int64?) {
        try TimeArgument.interval(since: since, until: until, zone: .gmt)
    }
}

/// How the items of a structured export are written.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The format of the items: json, ndjson, csv.", valueName: "format"))
    var format = "json"

    @Option(
        help: ArgumentHelp(
            "guarded: cells that a spreadsheet would run get an apostrophe; lossless: cells are unchanged.",
            valueName: "profile")
    )
    var csvProfile: String?

    func validate() throws {
        guard let format = ExportFormat(rawValue: format) else {
            let other = self.format == "parquet" ? "; for Parquet run healthprobe-data parquet (docs/columnar.md)" : ""
            throw ValidationError("--format takes json, ndjson or csv, not \(self.format)\(other).")
        }
        guard let csvProfile else { return }
        guard format == .csv else { throw ValidationError("--csv-profile goes with --format csv.") }
        guard ["guarded", "lossless"].contains(csvProfile) else {
            throw ValidationError("--csv-profile takes guarded or lossless, not \(csvProfile).")
        }
    }

    var chosen: ExportFormat { ExportFormat(rawValue: format) ?? .json }
}

/// The two observations of an export that is between them.
struct SideOptions: ParsableArguments {
    @Option(help: .earlier) var from: String?

    @Option(help: .later) var to: String?

    @Flag(help: "The earlier side is all that was visible from --from until before --to.")
    var through = false
}
