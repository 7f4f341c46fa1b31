internal import ArgumentParser
internal import Days
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

extension Provenance: ExpressibleByArgument {}

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
            "Names and identifiers; hashed: as pseudonyms; none: left out.", valueName: "profile"))
    var provenance: Provenance?

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
        _ = try parts()
    }

    /// Whether the export goes to standard output, as one zip.
    var isStream: Bool { output == BagExport.Options.standardOutput && !preview }

    /// Refuses what an export of whole observations cannot be narrowed by: it would be in the envelope without effect.
    func refuseInterval(andTypes: Bool, by command: String) throws {
        if since != nil || until != nil {
            throw ValidationError("\(command) covers whole observations; it takes neither --since nor --until.")
        }
        if andTypes, !type.isEmpty { throw ValidationError("\(command) covers all types; it does not take --type.") }
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
    @Option(
        help: ArgumentHelp("The format of the items: json, ndjson, csv.", valueName: "format"),
        transform: FormatOptions.read)
    var format = ExportFormat.json

    private static func read(_ text: String) throws -> ExportFormat {
        if let format = ExportFormat(rawValue: text) { return format }
        let other = text == "parquet" ? "; for Parquet run healthprobe-data parquet (docs/columnar.md)" : ""
        throw ValidationError("Choose json, ndjson or csv\(other).")
    }
}

/// The two observations of an export that is between them.
struct SideOptions: ParsableArguments {
    @Option(help: .earlier) var from: String?

    @Option(help: .later) var to: String?

    @Flag(help: "Compare with everything seen from --from up to --to.")
    var through = false
}
