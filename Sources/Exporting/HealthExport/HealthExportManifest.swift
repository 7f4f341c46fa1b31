package import Basics
package import Evidence
internal import HealthModel
internal import Presentation
package import Questions
internal import Store

/// What is beside a written Health export: what it is, what is in it, what it lacks.
package struct HealthExportManifest {
    private let context: ExportContext
    private let tally: ExportTally
    /// The counts by type as it is printed.
    private let types: [(type: String, counts: ExportTally.TypeCounts)]
    /// All files in the order in which they are written, the XML first; the lengths are those before compression.
    let members: [WrittenMember]
    /// The file's name without its folder.
    var fileName = ""
    /// The written file; nil where nothing was written, or the manifest is in it.
    var container: WrittenFile?
    var exportDateOrigin = ""
    /// The chain's name as the provenance profile prints it.
    var chain: String?
    var exportVersion: String?
    var missingFiles: [SideFileKind: Int] = [:]
    /// The files beside the XML whose own names cannot be used.
    var renamedFiles = 0
    var unresolvedNested: Int64 = 0
    package var undeclaredNames = false
    /// What became of consolidation groups, where they were to be replaced.
    package var groups: GroupExpansion.Counts?

    init(_ context: ExportContext, _ tally: ExportTally, _ members: [WrittenMember]) {
        self.context = context
        self.tally = tally
        self.members = members
        types = tally.sortedTypes
    }

    private var question: ExportQuestion { context.question }

    /// Records of a whole state that were carried over inside of another item in a representation that the state does not
    /// have: a reader counts each as a further item.
    private var notReproduced: Int64 { question.isWhole ? tally.nestedAlone : 0 }

    /// The number of items without a creation date.
    private var undated: Int64 { types.reduce(0) { $0 + $1.counts.withoutCreationDate } }

    /// Whether a reader of the file finds the versions that were exported: not with other names, with dates that were filled
    /// in, or without a record that was in an item.
    private var hasOwnVersions: Bool {
        question.provenance == .full && question.sharing == nil && unresolvedNested == 0
            && !(question.fillsCreationDates && undated > 0)
    }

    /// The number of items.
    package var itemCount: Int64 { types.reduce(0) { $0 + $1.counts.count } }

    /// The length of the written file; where nothing was written, that of all members before compression.
    package var byteCount: Int64 {
        container?.byteCount ?? members.reduce(0) { $0 + $1.file.byteCount }
    }

    /// Whether the length is one before compression: that of a zip which was not written.
    package var isUncompressed: Bool { container == nil && question.isZip }

    /// What a person should know, one sentence each.
    package var warnings: [String] {
        var found = question.provenance == .full ? [] : [ExportWarnings.reduced(question.provenance)]
        for observation in context.observations where observation.status == .partial {
            found.append(ExportWarnings.partial(observation))
        }
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
        if let sharing = question.sharing {
            found = found.map(sharing.shifted)
            if sharing.movesDates { found.append("All dates are moved by the same number of days.") }
            if sharing.trimsTracks { found.append("Tracks lack what is near their ends.") }
            if sharing.movesDates, question.provenance == .full {
                found.append(
                    "Names and identifiers are as they are, and identifiers of apps may have dates in them "
                        + "(--provenance hashed or none).")
            }
        }
        return found
    }

    /// What becomes of names, and how to get them otherwise.
    var namesSentence: String { question.provenance.sentence }

    /// What became of consolidation groups, one sentence; nil where they were not to be replaced.
    package var substitution: String? {
        guard let groups else { return nil }
        let replaced =
            "\(Counts.of(groups.replaced, "group")) replaced by \(Counts.of(groups.constituents, "original"))"
        guard groups.left > 0 else { return "\(replaced); none left." }
        let reasons = [
            (groups.partlyStored, "some originals were not found among the records no longer visible"),
            (groups.unstored, "the originals were not found among the records no longer visible"),
        ]
        let left = reasons.filter { $0.0 > 0 }.map { "\(Counts.grouped($0.0)) because \($0.1)" }
        return "\(replaced); \(Counts.grouped(groups.left)) left: \(left.joined(separator: ", "))."
    }

    /// The manifest as JSON.
    package var json: JSON {
        ManifestHash.adding(
            to: .line(
                "xml",
                [
                    "kind": question.kindName, "exportId": context.exportID, "app": HealthModel.program, "file": file,
                    "question": asked, "observation": observation, "itemCount": itemCount,
                    "streamDigest": hasOwnVersions ? tally.stream.hex : nil,
                    "stateDigest": question.sharing == nil ? tally.state.hex : nil, "types": types.map(Self.type),
                    "sideFiles": members.count - 1,
                    "leftOut": left, "notReproduced": notReproduced, "substitutions": substitutions,
                    "warnings": warnings, "members": members,
                ]
            ).adding(question.sharing == nil ? [:] : ["sharing": question.sharing?.json]))
    }

    /// SHA-256 of what is in the export, in hexadecimal: the same for the same question, whatever the file is called.
    package var contentHash: String { hash(ManifestHash.content) }

    /// SHA-256 of the whole manifest but itself, in hexadecimal.
    package var manifestHash: String { hash(ManifestHash.whole) }

    private func hash(_ name: String) -> String { json[name]?.string ?? "" }

    /// What is to be recorded in the archive.
    package var recording: RecordedExport {
        context.recording(manifestHash: contentHash, recordCount: itemCount)
    }

    private var file: JSON {
        func part(_ name: String, _ written: WrittenFile) -> JSON {
            .row(["name": name, "byteCount": written.byteCount, "sha256": written.sha256.hex])
        }
        guard let container else { return .row([question.isZip ? "uncompressedByteCount" : "byteCount": byteCount]) }
        guard question.isZip else { return part(fileName, container) }
        let main = members.first.map { part("\(HealthExport.folder)/\($0.path)", $0.file) }
        return part(fileName, container).adding(["main": main])
    }

    private var asked: JSON {
        let what =
            context.from.map {
                JSON.row(["from": $0.id, "changes": question.chosenChanges.map(\.rawValue).sorted()])
            } ?? .row(["state": question.state.rawValue])
        return what.adding([
            "provenance": question.provenance.rawValue, "include": question.include.map(\.rawValue),
            "since": JSON.instant(question.since.map(shown)), "until": JSON.instant(question.until.map(shown)),
            "filtered": !question.isWhole,
        ])
    }

    private var observation: JSON {
        let observation = context.to
        return .row([
            "id": observation.id, "chain": chain, "observedAt": JSON.instant(shown(observation.observedAt)),
            "observedAtOrigin": exportDateOrigin, "status": observation.status.rawValue,
            "offsetSeconds": question.offsetSeconds.map(Int64.init) ?? observation.offsetSeconds ?? 0,
            "exportVersion": exportVersion,
            "xmlSHA256": question.sharing == nil ? observation.xmlSHA256?.hex : nil,
        ])
    }

    /// An instant as the export has it.
    private func shown(_ instant: Int64) -> Int64 { question.sharing?.shifted(instant) ?? instant }

    private static func type(_ type: String, _ counts: ExportTally.TypeCounts) -> JSON {
        .row([
            "type": type, "count": counts.count, "withoutCreationDate": counts.withoutCreationDate,
            "textValues": counts.textValues, "longerThanFourDays": counts.long, "endBeforeStart": counts.reversed,
            "importersLose": importerLosses(type, counts),
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

    private var substitutions: JSON? {
        groups.map {
            .row(["groupsReplaced": $0.replaced, "constituents": $0.constituents, "groupsLeft": $0.left])
        }
    }

    private var left: JSON {
        .row([
            "sideFiles": JSON.object(
                missingFiles.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .int($0.value)) }),
            "nestedRecords": unresolvedNested, "electrocardiograms": tally.withoutZip,
            "provenance": JSON.object(tally.sortedLeftOut.map { ($0.name, .int($0.count)) }),
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
    /// - Parameter manifest: all members but the hashes; none of them a fraction.
    static func adding(to manifest: JSON) -> JSON {
        let hashed = manifest.adding([content: contentHash(manifest)])
        return hashed.adding([whole: wholeHash(hashed)])
    }

    /// SHA-256 of a manifest without its hashes and what it says of the written file, in hexadecimal.
    static func contentHash(_ manifest: JSON) -> String { hash(manifest, without: [file, content, whole]) }

    /// SHA-256 of a manifest without this hash itself, in hexadecimal.
    static func wholeHash(_ manifest: JSON) -> String { hash(manifest, without: [whole]) }

    /// Whether no object in a value has a name twice: readers differ in which of the two they take.
    static func isUnambiguous(_ json: JSON) -> Bool {
        let names = json.members.map { Array($0.0.utf8) }
        return Set(names).count == names.count && json.members.allSatisfy { isUnambiguous($0.1) }
            && json.elements.allSatisfy(isUnambiguous)
    }

    private static func hash(_ manifest: JSON, without names: [String]) -> String {
        Digest256(hashing: JSON.object(manifest.members.filter { !names.contains($0.0) }).canonicalText).hex
    }
}
