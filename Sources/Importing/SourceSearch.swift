internal import Basics
package import ExportReading
package import HealthModel
package import History
internal import Questions
package import Store

/// Finds every place of an export that has a sample: from an answer back to its bytes.
package enum SourceSearch {
    /// A place in a container.
    package struct Occurrence: Sendable {
        /// The member's name in the container.
        package var member: String
        /// The line in the XML where the item's start tag begins; nil in other files.
        package var line: Int64?
        package var byteStart: Int64
        package var byteEnd: Int64
        package var version: Digest256
        /// Whether the sample is inside the element whose place this is.
        package var isNested: Bool
        /// The bytes there, at most `textLimit`.
        package var text: [UInt8]
        package var isCut: Bool
    }

    /// The most bytes of a place that are returned.
    package static let textLimit = 1 << 20

    /// Opens the kept copy of an observation's source.
    ///
    /// - Throws: `integrityFailure` where it is gone or not what was read then, `usage` where none was kept, `inputOutput`.
    package static func kept(_ kept: KeptSource?, of observation: Observation, in store: SourceStore) throws
        -> ExportContainer
    {
        guard let name = kept?.name, let path = store.path(name) else {
            throw notKept("No copy of the source of observation \(observation.id)")
        }
        // Before it is opened: else a damaged zip would be reported as no export.
        let digest = try store.digest(of: name)
        guard let digest, digest == observation.sourceSHA256 ?? observation.xmlSHA256 else {
            throw HealthProbeError(
                .integrityFailure,
                "The kept source of observation \(observation.id) is \(digest == nil ? "missing" : "damaged").",
                hint: "Run healthprobe check --sources, or name the export itself with --in.")
        }
        return try ExportContainer(path: path)
    }

    /// The error of a query that needs a kept copy.
    package static func notKept(_ what: String) -> HealthProbeError {
        HealthProbeError(
            .usage, "\(what) was kept.",
            hint: "Name the export with --in; import --keep-source copy keeps a copy.")
    }

    /// The finished observation whose source a file is, by the file's hash or by that of its main XML.
    ///
    /// - Parameter wanted: the observation that it must be; nil for any of the chain.
    /// - Throws: `integrityFailure` where the file is another one.
    package static func observation(
        of container: ExportContainer, in chain: Chain, wanted: Observation?
    ) throws -> Observation {
        let candidates = wanted.map { [$0] } ?? chain.finished
        if let digest = try container.containerDigest(),
            let found = candidates.last(where: { $0.sourceSHA256 == digest })
        {
            return found
        }
        let ofLength = candidates.filter { $0.xmlByteCount == container.mainByteCount }
        let digest = ofLength.isEmpty ? nil : try container.mainDigest()
        if let found = ofLength.last(where: { $0.xmlSHA256 == digest }) { return found }
        throw HealthProbeError(
            .integrityFailure,
            wanted.map { "Observation \($0.id) was not read from this file: its hash differs." }
                ?? "No observation of chain \(chain.name) was read from this file: none has its hash.",
            hint: "healthprobe show OBSERVATION names the source with its hashes.")
    }

    /// Reads an export and reports every occurrence of a sample in the order of the file.
    ///
    /// A file beside the XML that carries the sample must be the one that the observation was read with.
    ///
    /// - Parameter progress: called with bytes done after each page; may throw to end the search.
    /// - Throws: `HealthProbeError`, `integrityFailure` for another file, and what `report` and `progress` throw.
    /// - Complexity: two readings of the main XML side by side, at constant memory.
    package static func run(
        _ container: ExportContainer, identity: Digest256, known files: [String: Digest256],
        progress: (Int64) throws -> Void, report: (Occurrence) throws -> Void
    ) throws {
        let text = try MainXMLText(container)
        var tracks: [(path: String, version: Digest256)] = []
        _ = try ExportReader(container).read { page in
            let found =
                page.items.filter { $0.identity == identity }.map { (item: $0, isNested: isInside($0)) }
                + page.nested.filter { $0.identity == identity }.map { (item: $0, isNested: true) }
            for (item, isNested) in found.sorted(by: { $0.item.place.byteStart < $1.item.place.byteStart }) {
                let version = item.version
                if item.kind == .workoutRoute, item.detail >= 0, let path = page.details[Int(item.detail)].filePath,
                    !tracks.contains(where: { $0.path == SideFile.relative(path) })
                {
                    tracks.append((SideFile.relative(path), version))
                }
                let place = item.place
                let part = try text.part(from: place.byteStart, to: place.byteEnd, limit: textLimit)
                try report(
                    Occurrence(
                        member: container.mainName, line: place.line, byteStart: part.start, byteEnd: place.byteEnd,
                        version: version, isNested: isNested, text: part.bytes, isCut: part.isCut))
            }
            try progress(page.bytePosition)
        }
        for track in tracks {
            guard let file = container.sideFiles.first(where: { $0.path == track.path }) else { continue }
            try report(try occurrence(of: file, in: container, track.version, files))
        }
        for file in container.sideFiles where ElectrocardiogramFile.isOne(file.path) {
            guard let bytes = try ElectrocardiogramFile.bytes(of: file, in: container),
                let hashes = ElectrocardiogramFile.hashes(bytes), hashes.identity == identity
            else { continue }
            try report(try occurrence(of: file, in: container, hashes.version, files))
        }
    }

    /// A whole file as a place, compared with the one that the observation was read with.
    private static func occurrence(
        of file: SideFile, in container: ExportContainer, _ version: Digest256, _ known: [String: Digest256]
    ) throws -> Occurrence {
        var hash = SideFileHash(kind: file.kind)
        var text: [UInt8] = []
        var count: Int64 = 0
        try container.read(file) { bytes in
            hash.update(bytes)
            text += bytes[0..<min(bytes.count, textLimit - text.count)].array
            count += Int64(bytes.count)
        }
        guard known[file.path] == hash.finalize() else {
            throw HealthProbeError(
                .integrityFailure,
                "\(file.path) differs from the file that the observation was read with.",
                hint: "Give the export that was imported.")
        }
        return Occurrence(
            member: container.memberPrefix + file.path, line: nil, byteStart: 0, byteEnd: count, version: version,
            isNested: false, text: text, isCut: count > Int64(textLimit))
    }

    /// Routes are in their workouts, characteristics in `Me`.
    private static func isInside(_ item: PreparedItem) -> Bool {
        item.kind == .workoutRoute || item.kind == .characteristic
    }
}
