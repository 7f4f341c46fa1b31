package import Archive
package import ExportReading
package import HealthModel

/// Finds every place of an export that carries a sample: the way back from a statement to its bytes.
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
        /// Whether the sample stands inside the element whose place this is.
        package var isNested: Bool
        /// The bytes there, at most `textLimit`.
        package var text: [UInt8]
        package var isCut: Bool
    }

    /// Bytes of a place that are given out.
    package static let textLimit = 1 << 20

    /// The finished observation whose source a file is.
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
        throw ArchiveError(
            .integrityFailure,
            wanted.map { "The file is not the export that observation \($0.id) was read from: its hash differs." }
                ?? "The file is no export that chain \(chain.name) was read from: no observation has its hash.",
            hint: "healthprobe show OBSERVATION names the source with its hashes.")
    }

    /// Reads an export and reports every occurrence of a sample in the order of the file.
    ///
    /// - Parameter progress: told bytes done after each page; may throw to end the search.
    /// - Throws: `ExportReadingError`, and what `report` and `progress` throw.
    /// - Complexity: two readings of the main XML side by side, at constant memory.
    package static func run(
        _ container: ExportContainer, identity: Digest256, progress: (Int64) throws -> Void,
        report: (Occurrence) throws -> Void
    ) throws {
        let text = try MainXMLText(container)
        _ = try ExportReader(container).read { page in
            let found =
                page.items.filter { $0.identity == identity }.map { (item: $0, isNested: isInside($0)) }
                + page.nested.filter { $0.identity == identity }.map { (item: $0, isNested: true) }
            for (item, isNested) in found.sorted(by: { $0.item.byteStart < $1.item.byteStart }) {
                let part = try text.part(from: item.byteStart, to: item.byteEnd, limit: textLimit)
                try report(
                    Occurrence(
                        member: container.mainName, line: item.line, byteStart: part.start, byteEnd: item.byteEnd,
                        version: item.version, isNested: isNested, text: part.bytes, isCut: part.isCut))
            }
            try progress(page.bytePosition)
        }
        for file in container.sideFiles where ElectrocardiogramFile.isOne(file.path) {
            guard file.byteCount <= ElectrocardiogramReader.maximumBytes, let bytes = try bytes(of: file, container),
                let hashes = ElectrocardiogramFile.hashes(bytes), hashes.identity == identity
            else { continue }
            try report(
                Occurrence(
                    member: container.memberPrefix + file.path, line: nil, byteStart: 0, byteEnd: Int64(bytes.count),
                    version: hashes.version, isNested: false, text: Array(bytes.prefix(textLimit)),
                    isCut: bytes.count > textLimit))
        }
    }

    /// The bytes of a side file; nil where it is damaged.
    private static func bytes(of file: SideFile, _ container: ExportContainer) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try container.read(file) { bytes.append(contentsOf: $0) }
            return bytes
        } catch is DamagedSource {
            return nil
        }
    }

    /// Routes stand in their workouts, characteristics in `Me`.
    private static func isInside(_ item: PreparedItem) -> Bool {
        item.kind == .workoutRoute || item.kind == .characteristic
    }
}
