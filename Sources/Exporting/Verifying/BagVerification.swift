internal import Basics
internal import Foundation
internal import HealthModel

/// Checks a structured export against its own manifests, without any archive and in bounded memory.
enum BagVerification {
    /// Checks everything in turn: tag files, which files there are, the envelope's hash, every item, counts, order,
    /// checksums, the signature.
    ///
    /// - Parameters:
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    ///   - isCancelled: asked at each buffer; true ends the check.
    ///   - progress: called with how many items are done of how many.
    /// - Throws: `VerificationFailure` with the first thing that is wrong.
    static func run(
        _ files: any ExportFiles, signers: String?, isCancelled: @escaping () -> Bool,
        progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws -> VerificationReport {
        let layout = try BagLayout(files)
        let envelope = try EnvelopeReader(files)
        guard layout.payload.contains(where: { $0.path == envelope.itemsFile }) else {
            throw VerificationFailure("does not list \(envelope.itemsFile)", file: Bag.manifest)
        }
        let itemFiles = try itemFiles(layout, envelope)
        var bytes: Int64 = 0
        var items: ItemVerifier?
        for entry in layout.payload {
            let reader = try LineReader(files.open(entry.path), isCancelled: isCancelled)
            // CSV is for spreadsheets: its file is hashed like any other.
            if entry.path == envelope.itemsFile, envelope.format != .csv {
                items = try verify(reader, envelope, itemFiles, progress)
            }
            let file = try reader.finish()
            guard file.sha256 == entry.sha256 else {
                throw VerificationFailure("its SHA-256 differs from the one in \(Bag.manifest)", file: entry.path)
            }
            bytes += file.byteCount
        }
        try layout.requireInfo(envelope, bytes: bytes)
        return VerificationReport(
            kind: envelope.kind.name(envelope.format), exportID: envelope.exportID, createdAt: envelope.createdAt,
            recordCount: envelope.recordCount, manifestHash: envelope.manifestHash, provenance: envelope.provenance,
            identitiesRecomputed: items?.identitiesRecomputed ?? 0,
            identitiesSkipped: items?.identitiesSkipped ?? envelope.recordCount,
            fileCount: layout.payload.count, byteCount: bytes,
            signature: try SignatureVerification.run(
                files, Bag.tagManifest, files.text(Bag.tagManifest), signers: signers, isCancelled: isCancelled))
    }

    /// The names in `data` of the files beside envelope and items, each of which is named by its SHA-256.
    private static func itemFiles(_ layout: BagLayout, _ envelope: EnvelopeReader) throws -> Set<String> {
        let others = layout.payload.filter { ![EnvelopeReader.file, envelope.itemsFile].contains($0.path) }
        for entry in others where !entry.path.hasPrefix("data/\(ItemFiles.folder)/\(entry.sha256.hex).") {
            throw VerificationFailure("is not a file of this format, or not the one its name states", file: entry.path)
        }
        return Set(others.map { String($0.path.dropFirst("data/".count)) })
    }

    private static func verify(
        _ reader: LineReader, _ envelope: EnvelopeReader, _ files: Set<String>, _ progress: (Int64, Int64) -> Void
    ) throws -> ItemVerifier {
        var verifier = ItemVerifier(
            hasRole: envelope.kind.hasTwoSides, hasKind: ![.types, .manifest].contains(envelope.kind),
            isFull: envelope.provenance == .full, files: files)
        var line: Int64 = 0
        func verify(_ item: ByteView) throws {
            try verifier.verify(item)
            if verifier.count % 10_000 == 0 { progress(verifier.count, envelope.recordCount) }
        }
        do {
            if envelope.format == .json {
                try verifyArray(reader, &line, verify)
            } else {
                while let row = try reader.next() {
                    line += 1
                    try verify(row)
                }
            }
        } catch var failure as VerificationFailure {
            failure.file = envelope.itemsFile
            failure.line = max(line, 1)
            failure.item = verifier.count + 1
            throw failure
        }
        try requireCounts(verifier, envelope)
        return verifier
    }

    /// `[`, an item a line with commas behind all but the last, `]`.
    private static func verifyArray(
        _ reader: LineReader, _ line: inout Int64, _ verify: (ByteView) throws -> Void
    ) throws {
        line = 1
        guard let first = try reader.next(), first.string == "[" else {
            throw VerificationFailure("does not begin with [")
        }
        var (isOpen, isEmpty) = (true, true)
        while let row = try reader.next() {
            line += 1
            if row.count == 1, row[0] == 0x5D {
                guard isOpen == isEmpty else { throw VerificationFailure("ends after a comma") }
                guard try reader.next() == nil else { throw VerificationFailure("continues after its end") }
                return
            }
            guard isOpen, row.count > 0 else { throw VerificationFailure("lacks a comma before this line") }
            isOpen = row[row.count - 1] == 0x2C
            isEmpty = false
            try verify(isOpen ? row[0..<row.count - 1] : row)
        }
        throw VerificationFailure("ends without ]")
    }

    private static func requireCounts(_ verifier: ItemVerifier, _ envelope: EnvelopeReader) throws {
        let file = envelope.itemsFile
        guard verifier.count == envelope.recordCount else {
            throw VerificationFailure(
                "has \(verifier.count) items; the envelope states \(envelope.recordCount)", file: file)
        }
        guard verifier.itemsHash == envelope.itemsHash else {
            throw VerificationFailure("the hash over its items differs from the envelope's", file: file)
        }
        if let file = verifier.unnamedFile {
            throw VerificationFailure("belongs to no item", file: "data/\(file)")
        }
        guard verifier.types == envelope.typeCounts, verifier.roles == envelope.roleCounts else {
            throw VerificationFailure("the counts by type or role differ from the envelope's", file: file)
        }
    }
}
