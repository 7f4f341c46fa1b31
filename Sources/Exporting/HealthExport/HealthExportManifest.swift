package import Archive
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import Presentation
package import TextFormats

/// What stands beside a written Health export: what it is, what is in it, what it lacks.
package struct HealthExportManifest {
    var request: HealthExportRequest
    /// The file's name without its folder.
    var fileName = ""
    private var container: WrittenFile?
    private var xml = WrittenFile()
    private var isZip = false
    var types: [(type: String, counts: ExportTally.TypeCounts)] = []
    /// What a reader of the written files will have; nil where names are not printed as they are.
    var streamDigest: String?
    var stateDigest = ""
    var exportDateOrigin = ""
    /// The chain's name as the provenance profile prints it.
    var chain: String?
    var exportVersion: String?
    /// What the provenance profile left out or blanked, by name.
    var leftOut: [String: Int64] = [:]
    /// SHA-256 of the question and of the states that it was asked of, in hexadecimal.
    var exportID = ""
    /// The files beside the XML.
    var sideMembers: [WrittenMember] = []
    var missingFiles: [SideFile.Kind: Int] = [:]
    /// The files beside the XML whose own names cannot be used.
    var renamedFiles = 0
    var unresolvedNested: Int64 = 0
    /// ECGs that only a zip holds.
    var electrocardiogramsLeft: Int64 = 0
    var undeclaredNames = false
    /// What became of consolidation groups, where the finest state was asked for.
    var finest: FinestState.Counts?

    init(_ request: HealthExportRequest) { self.request = request }

    /// The manifest with what the written files tell.
    func finished(container: WrittenFile?, xml: WrittenFile, isZip: Bool) -> HealthExportManifest {
        var copy = self
        copy.container = container
        copy.xml = xml
        copy.isZip = isZip
        return copy
    }

    /// The number of items.
    package var itemCount: Int64 { types.reduce(0) { $0 + $1.counts.count } }

    /// The length of the written file; where nothing was written, that of all members before compression.
    package var byteCount: Int64 {
        container?.byteCount ?? sideMembers.reduce(xml.byteCount) { $0 + $1.file.byteCount }
    }

    /// Whether the length is one before compression: that of a zip which was not written.
    package var isUncompressed: Bool { container == nil && isZip }

    /// What a person should know, one sentence each.
    package var warnings: [String] {
        var found = request.provenance == .full ? [] : [ExportWarnings.reduced(request.provenance)]
        for observation in request.observations where observation.status == .partial {
            found.append(ExportWarnings.partial(observation))
        }
        let undated = types.reduce(0) { $0 + $1.counts.withoutCreationDate }
        if undated > 0 {
            found.append(
                request.fillsCreationDates
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
        if undeclaredNames {
            found.append("Some unknown names are not declared: there are too many of them.")
        }
        if !isZip, electrocardiogramsLeft > 0 || types.contains(where: { $0.type == SampleType.workoutRoute }) {
            found.append("Tracks of routes and ECGs are files beside the XML; a zip has them (--zip).")
        }
        return found
    }

    /// The manifest as JSON.
    package var json: JSON {
        .object(hashed)
    }

    private var hashed: [(String, JSON)] {
        ManifestHash.adding(to: [
            ("schema", .string("healthprobe.xml/1")),
            ("kind", .string(request.kindName)), ("exportId", .string(exportID)),
            ("app", .string(HealthModel.program)), ("file", file), ("question", question),
            ("observation", observation), ("itemCount", .int(Int(itemCount))),
            ("streamDigest", .optional(streamDigest)), ("stateDigest", .string(stateDigest)),
            ("types", .array(types.map(Self.type))), ("sideFiles", .int(sideMembers.count)), ("leftOut", left),
            ("substitutions", substitutions),
            ("warnings", .array(warnings.map { .string($0) })),
            ("members", .array(members.map(\.json))),
        ])
    }

    /// All files in the order in which they are written.
    private var members: [WrittenMember] {
        [WrittenMember(path: HealthExportJob.mainName, file: xml)] + sideMembers
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
        let observation = request.observation
        return RecordedExport(
            exportID: exportID, createdAt: observation.endedAt ?? Double(observation.observedAt),
            kind: request.kindName, fromObservation: request.fromObservation, toObservation: observation.id,
            question: request.json.canonicalText, manifestHash: contentHash, recordCount: itemCount,
            program: HealthModel.program)
    }

    private var file: JSON {
        func part(_ name: String, _ written: WrittenFile) -> JSON {
            .object([
                ("name", .string(name)), ("byteCount", .int(Int(written.byteCount))),
                ("sha256", .string(written.sha256.hex)),
            ])
        }
        guard let container else {
            return .object([(isZip ? "uncompressedByteCount" : "byteCount", .int(Int(byteCount)))])
        }
        guard isZip else { return part(fileName, container) }
        return part(fileName, container).adding([
            ("main", part(HealthExportJob.folder + HealthExportJob.mainName, xml))
        ])
    }

    private var question: JSON {
        var members: [(String, JSON)] = []
        switch request.question {
        case .visible: members.append(("state", .string("visible")))
        case .ever: members.append(("state", .string("ever")))
        case .finest: members.append(("state", .string("finest")))
        case .changes(let from, let kinds):
            members.append(("from", .int(Int(from.id))))
            members.append(("changes", .array(kinds.map(\.rawValue).sorted().map { .string($0) })))
        }
        members.append(("provenance", .string(request.provenance.rawValue)))
        members.append(("include", .array(request.include.map { .string($0.rawValue) })))
        members.append(("since", .optional(request.since.map { ISO8601.string(unixSeconds: Double($0)) })))
        members.append(("until", .optional(request.until.map { ISO8601.string(unixSeconds: Double($0)) })))
        members.append(("filtered", .bool(!request.isWhole)))
        return .object(members)
    }

    private var observation: JSON {
        let observation = request.observation
        return .object([
            ("id", .int(Int(observation.id))), ("chain", .optional(chain)),
            ("observedAt", .string(ISO8601.string(unixSeconds: Double(observation.observedAt)))),
            ("observedAtOrigin", .string(exportDateOrigin)), ("status", .string(observation.status.rawValue)),
            ("offsetSeconds", .int(Int(request.offsetSeconds.map(Int64.init) ?? observation.offsetSeconds ?? 0))),
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
            ("importersLose", .array(ImporterLosses.names(type, counts).map { .string($0) })),
        ])
    }

    private var substitutions: JSON {
        guard let finest else { return .null }
        return .object([
            ("groupsReplaced", .int(finest.replaced)), ("constituents", .int(finest.constituents)),
            ("groupsLeft", .int(finest.left)),
        ])
    }

    private var left: JSON {
        .object([
            (
                "sideFiles",
                .object(
                    missingFiles.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .int($0.value)) })
            ),
            ("nestedRecords", .int(Int(unresolvedNested))), ("electrocardiograms", .int(Int(electrocardiogramsLeft))),
            ("provenance", .object(leftOut.sorted { $0.key < $1.key }.map { ($0.key, .int(Int($0.value))) })),
        ])
    }

    /// Writes the manifest to a file that must not exist.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`.
    func write(to path: String) throws {
        let queue = MemberQueue()
        let buffer = ByteBuffer()
        buffer.append(json.line + "\n")
        try queue.push(.begin(path: path, byteCount: nil))
        try queue.push(.bytes(buffer))
        try queue.push(.end)
        queue.finish()
        _ = try PlainSink(path: path).run(queue)
    }
}
