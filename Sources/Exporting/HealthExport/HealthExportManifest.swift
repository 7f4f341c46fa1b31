internal import ArchiveReading
internal import ArchiveRows
package import ArchiveSealing
internal import ExportReading
internal import HealthModel
internal import Presentation
package import TextFormats

/// What is beside a written Health export: what it is, what is in it, what it lacks.
package struct HealthExportManifest {
    private let context: ExportContext
    private let tally: ExportTally
    /// The counts by type as it is printed.
    private let types: [(type: String, counts: ExportTally.TypeCounts)]
    /// The file's name without its folder.
    var fileName = ""
    private var container: WrittenFile?
    private var xml = WrittenFile()
    var exportDateOrigin = ""
    /// The chain's name as the provenance profile prints it.
    var chain: String?
    var exportVersion: String?
    /// The files beside the XML.
    var sideMembers: [WrittenMember] = []
    var missingFiles: [SideFile.Kind: Int] = [:]
    /// The files beside the XML whose own names cannot be used.
    var renamedFiles = 0
    var unresolvedNested: Int64 = 0
    var undeclaredNames = false
    /// What became of consolidation groups, where they were to be replaced.
    var groups: GroupExpansion.Counts?

    init(_ context: ExportContext, _ tally: ExportTally) {
        self.context = context
        self.tally = tally
        types = tally.sortedTypes
    }

    private var question: ExportQuestion { context.question }

    /// Records of a whole state that were carried over inside of another item in a representation that the state does not
    /// have: a reader counts each as a further item.
    private var notReproduced: Int64 { question.isWhole ? tally.nestedAlone : 0 }

    /// The manifest with the facts of the written files.
    func finished(container: WrittenFile?, xml: WrittenFile) -> HealthExportManifest {
        var copy = self
        copy.container = container
        copy.xml = xml
        return copy
    }

    /// The number of items.
    package var itemCount: Int64 { types.reduce(0) { $0 + $1.counts.count } }

    /// The length of the written file; where nothing was written, that of all members before compression.
    package var byteCount: Int64 {
        container?.byteCount ?? sideMembers.reduce(xml.byteCount) { $0 + $1.file.byteCount }
    }

    /// Whether the length is one before compression: that of a zip which was not written.
    package var isUncompressed: Bool { container == nil && question.isZip }

    /// What a person should know, one sentence each.
    package var warnings: [String] {
        var found = question.provenance == .full ? [] : [ExportWarnings.reduced(question.provenance)]
        for observation in context.observations where observation.status == .partial {
            found.append(ExportWarnings.partial(observation))
        }
        let undated = types.reduce(0) { $0 + $1.counts.withoutCreationDate }
        if undated > 0 {
            found.append(
                question.fillsCreationDates
                    ? "\(undated) records had no creation date and were given their start; they read back as other versions."
                    : "\(undated) records have no creation date; some tools insist on one (--fill-creation-dates).")
        }
        for (kind, count) in missingFiles.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            found.append("\(count) items lack their side file in the archive: \(kind.rawValue).")
        }
        if renamedFiles > 0 {
            found.append(
                "\(renamedFiles) side files have names that cannot be used; they stand under names made of their content."
            )
        }
        if unresolvedNested > 0 {
            found.append("\(unresolvedNested) nested records are left out: the archive never stored them.")
        }
        if notReproduced > 0 {
            found.append(
                """
                \(Counts.of(notReproduced, "nested record")) carried over from an earlier export cannot be written so that this \
                state reads back: a reader finds so many more items (notReproduced).
                """)
        }
        if undeclaredNames {
            found.append("Some unknown names are not declared: there are too many of them.")
        }
        if !question.isZip, tally.withoutZip > 0 || types.contains(where: { $0.type == SampleType.workoutRoute }) {
            found.append("Tracks of routes and ECGs are files beside the XML; a zip has them (--zip).")
        }
        return found
    }

    /// What became of consolidation groups, one sentence; nil where they were not to be replaced.
    package var substitution: String? {
        guard let groups else { return nil }
        let replaced =
            "\(Counts.of(groups.replaced, "group")) replaced by \(Counts.of(groups.constituents, "original"))"
        guard groups.left > 0 else { return "\(replaced); none left." }
        let reasons = [
            (groups.partlyStored, "some of the originals are in none of your exports"),
            (groups.unstored, "the originals are in none of your exports"),
        ]
        let left = reasons.filter { $0.0 > 0 }.map { "\(Counts.grouped($0.0)) because \($0.1)" }
        return "\(replaced); \(Counts.grouped(groups.left)) left: \(left.joined(separator: ", "))."
    }

    /// The manifest as JSON.
    package var json: JSON {
        .object(hashed)
    }

    private var hashed: [(String, JSON)] {
        ManifestHash.adding(to: [
            ("schema", .string("healthprobe.xml/1")),
            ("kind", .string(question.kindName)), ("exportId", .string(context.exportID)),
            ("app", .string(HealthModel.program)), ("file", file), ("question", asked),
            ("observation", observation), ("itemCount", .int(Int(itemCount))),
            ("streamDigest", .optional(question.provenance == .full ? tally.stream.hex : nil)),
            ("stateDigest", .string(tally.state.hex)),
            ("types", .array(types.map(Self.type))), ("sideFiles", .int(sideMembers.count)), ("leftOut", left),
            ("notReproduced", .int(Int(notReproduced))),
            ("substitutions", substitutions),
            ("warnings", .array(warnings.map { .string($0) })),
            ("members", .array(members.map(\.json))),
        ])
    }

    /// All files in the order in which they are written.
    private var members: [WrittenMember] {
        [WrittenMember(path: HealthExport.mainName, file: xml)] + sideMembers
    }

    /// SHA-256 of what is in the export, in hexadecimal: the same for the same question, whatever the file is called.
    package var contentHash: String { hash(ManifestHash.content) }

    /// SHA-256 of the whole manifest but itself, in hexadecimal.
    package var manifestHash: String { hash(ManifestHash.whole) }

    private func hash(_ name: String) -> String {
        if case .string(let text)? = json[name] { text } else { "" }
    }

    /// What is to be recorded in the archive.
    package var recording: RecordedExport {
        context.recording(manifestHash: contentHash, recordCount: itemCount)
    }

    private var file: JSON {
        func part(_ name: String, _ written: WrittenFile) -> JSON {
            .object([
                ("name", .string(name)), ("byteCount", .int(Int(written.byteCount))),
                ("sha256", .string(written.sha256.hex)),
            ])
        }
        guard let container else {
            return .object([(question.isZip ? "uncompressedByteCount" : "byteCount", .int(Int(byteCount)))])
        }
        guard question.isZip else { return part(fileName, container) }
        return part(fileName, container).adding([
            ("main", part(HealthExport.folder + HealthExport.mainName, xml))
        ])
    }

    private var asked: JSON {
        var members: [(String, JSON)] = []
        if let from = context.from {
            members.append(("from", .int(Int(from.id))))
            members.append(
                ("changes", .array(question.chosenChanges.map(\.rawValue).sorted().map { .string($0) })))
        } else {
            members.append(("state", .string(question.state.rawValue)))
        }
        members.append(("provenance", .string(question.provenance.rawValue)))
        members.append(("include", .array(question.include.map { .string($0.rawValue) })))
        members.append(("since", .optional(question.since.map { ISO8601.string(unixSeconds: Double($0)) })))
        members.append(("until", .optional(question.until.map { ISO8601.string(unixSeconds: Double($0)) })))
        members.append(("filtered", .bool(!question.isWhole)))
        return .object(members)
    }

    private var observation: JSON {
        let observation = context.to
        return .object([
            ("id", .int(Int(observation.id))), ("chain", .optional(chain)),
            ("observedAt", .string(ISO8601.string(unixSeconds: Double(observation.observedAt)))),
            ("observedAtOrigin", .string(exportDateOrigin)), ("status", .string(observation.status.rawValue)),
            ("offsetSeconds", .int(Int(question.offsetSeconds.map(Int64.init) ?? observation.offsetSeconds ?? 0))),
            ("exportVersion", .optional(exportVersion)),
            ("xmlSHA256", .optional(observation.xmlSHA256?.hex)),
        ])
    }

    private static func type(_ type: String, _ counts: ExportTally.TypeCounts) -> JSON {
        .object([
            ("type", .string(type)), ("count", .int(Int(counts.count))),
            ("withoutCreationDate", .int(Int(counts.withoutCreationDate))),
            ("textValues", .int(Int(counts.textValues))),
            ("longerThanFourDays", .int(Int(counts.long))), ("endBeforeStart", .int(Int(counts.reversed))),
            ("importersLose", .array(importerLosses(type, counts).map { .string($0) })),
        ])
    }

    /// What the open importer that is most in use is known to lose of a type with these counts, from its source.
    ///
    /// It writes quantities, categories and workouts, reads a value as a number whatever it is, gives every sample its own
    /// source and today's creation date, and passes over samples longer than four days.
    private static func importerLosses(_ type: String, _ counts: ExportTally.TypeCounts) -> [String] {
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

    private var substitutions: JSON {
        guard let groups else { return .null }
        return .object([
            ("groupsReplaced", .int(groups.replaced)), ("constituents", .int(groups.constituents)),
            ("groupsLeft", .int(groups.left)),
        ])
    }

    private var left: JSON {
        .object([
            (
                "sideFiles",
                .object(
                    missingFiles.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .int($0.value)) })
            ),
            ("nestedRecords", .int(Int(unresolvedNested))), ("electrocardiograms", .int(Int(tally.withoutZip))),
            ("provenance", .object(tally.sortedLeftOut.map { ($0.name, .int(Int($0.count))) })),
        ])
    }
}

/// The two hashes of a Health export's manifest, each over its canonical JSON.
enum ManifestHash {
    /// The member with the hash of what is in the export: the same whatever the file is called and however it is compressed.
    static let content = "contentHash"
    /// The member with the hash of all other members.
    static let whole = "manifestHash"
    private static let file = "file"

    /// A manifest with both of its hashes.
    ///
    /// - Parameter members: all members but the hashes; none of them a fraction.
    static func adding(to members: [(String, JSON)]) -> [(String, JSON)] {
        let hashed = members + [(content, .string(contentHash(members)))]
        return hashed + [(whole, .string(wholeHash(hashed)))]
    }

    /// SHA-256 of a manifest without its hashes and what it says of the written file, in hexadecimal.
    static func contentHash(_ members: [(String, JSON)]) -> String {
        hash(members.filter { ![file, content, whole].contains($0.0) })
    }

    /// SHA-256 of a manifest without this hash itself, in hexadecimal.
    static func wholeHash(_ members: [(String, JSON)]) -> String { hash(members.filter { $0.0 != whole }) }

    /// Whether no object in a value has a name twice: readers differ in which of the two they take.
    static func isUnambiguous(_ json: JSON) -> Bool {
        let names = json.members.map { Array($0.0.utf8) }
        return Set(names).count == names.count && json.members.allSatisfy { isUnambiguous($0.1) }
            && json.elements.allSatisfy(isUnambiguous)
    }

    private static func hash(_ members: [(String, JSON)]) -> String {
        Digest256(hashing: JSON.object(members).canonicalText).hex
    }
}
