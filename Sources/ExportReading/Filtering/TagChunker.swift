internal import Basics
internal import Foundation
internal import HealthModel

/// Reads the source, hashes it as it is and cuts it before a `<` into chunks of whole tags that the filter repairs.
struct TagChunker {
    private let source: any ByteSource
    private(set) var filter = ByteFilter()
    private var hash = SHA256()
    private var carry: ByteBuffer?
    private var sawRoot = false
    private var ended = false
    private(set) var byteCount: Int64 = 0
    /// Why the source ended early; nil while all is well.
    private(set) var damage: DamagedSource?
    private let readSize: Int
    /// No reference in an export has more bytes.
    private static let longestReference = 64

    init(source: any ByteSource, readSize: Int) {
        self.source = source
        // Smaller than the largest tag, so that a tag beyond that cap is always met at the start of a chunk.
        self.readSize = min(max(readSize, 1), ExportReading.Limits.tagBytes / 4)
    }

    /// SHA-256 of all bytes read so far, before any repair.
    var digest: Digest256 { hash.finalize() }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `HealthProbeError` when no root element comes within the first MiB, `inputOutput` where the system could
    ///   not read so far.
    mutating func next() throws -> ByteBuffer? {
        var pending = carry
        carry = nil
        while !ended {
            let chunk = extend(pending)
            pending = chunk
            if !sawRoot {
                guard try findRoot(chunk) else { continue }
            }
            if startsWithOversizedTag(chunk) {
                drain()
                damage = DamagedSource(reason: "tagOver16MiB")
                return nil
            }
            if ended { break }
            if let cut = cut(chunk) { return finish(chunk, cut: cut) }
        }
        guard sawRoot else {
            if let damage, damage.isReadError { throw damage.inputOutput }
            throw Self.noRoot(in: pending)
        }
        guard let last = pending, last.count > 0 else { return nil }
        return finish(last, cut: last.count)
    }

    /// Reads what is left without parsing it, for the hash alone.
    mutating func drain() {
        let scratch = ByteBuffer(capacity: 1 << 18)
        while !ended {
            scratch.removeAll()
            fill(scratch, limit: 1 << 18)
        }
    }

    private static func noRoot(in start: ByteBuffer?) -> HealthProbeError {
        if let start, ByteMarkup.isUTF16(start.view) { return .utf16 }
        return HealthProbeError(
            .notAHealthExport, "This is not an Apple Health export: it has no <HealthData> element.",
            hint: "Give the export.zip that the Health app made, the unpacked folder, or its main XML file.")
    }

    private mutating func extend(_ old: ByteBuffer?) -> ByteBuffer {
        let kept = old?.count ?? 0
        let chunk = ByteBuffer(capacity: max(kept * 2, kept + readSize, 1 << 12))
        if let old { chunk.append(old.view) }
        fill(chunk, limit: max(kept, readSize))
        return chunk
    }

    private mutating func fill(_ bytes: ByteBuffer, limit: Int) {
        let before = bytes.count
        do {
            let got = try source.read(into: bytes, upTo: limit)
            if got == 0 { ended = true }
            hash.update(bytes.view[before...])
            byteCount += Int64(got)
        } catch {
            damage = error as? DamagedSource ?? DamagedSource(reason: "readError", isReadError: true)
            ended = true
        }
        if ended, damage == nil, let expected = source.expectedByteCount, expected != byteCount {
            damage = DamagedSource(reason: "byteCountMismatch")
        }
    }

    private mutating func findRoot(_ chunk: ByteBuffer) throws -> Bool {
        guard let prolog = ByteFilter.prolog(chunk.view) else {
            if chunk.count > ExportReading.Limits.prologBytes { throw Self.noRoot(in: chunk) }
            return false
        }
        if prolog.root > ExportReading.Limits.prologBytes { throw Self.noRoot(in: chunk) }
        filter.blankDeclaration(chunk, root: prolog.root)
        if let doctype = prolog.doctype { filter.blankDoctype(chunk, from: doctype, root: prolog.root) }
        sawRoot = true
        return true
    }

    /// Where the chunk may end: before its last `<`, or anywhere in text; nil when more bytes are needed.
    private func cut(_ chunk: ByteBuffer) -> Int? {
        let bytes = chunk.view
        if let last = bytes.lastIndex(of: 0x3C), last > 0 { return last }
        guard bytes.count > 1 << 16 else { return nil }
        // One tag or one text fills the chunk. A text may be cut between characters, a tag may not.
        let inTag = bytes[0] == 0x3C && TagLexer.attributes(bytes, from: 0) { _, _ in true } >= bytes.count
        if inTag && bytes.count <= ExportReading.Limits.tagBytes { return nil }
        // A character that starts in the last three bytes may go on behind them.
        for cut in stride(from: bytes.count - 1, through: bytes.count - 3, by: -1) where bytes[cut] >= 0xC0 {
            return cut
        }
        // So may a reference.
        let tail = bytes.count - Self.longestReference
        if let mark = bytes[tail...].lastIndex(of: UInt8(ascii: "&")),
            bytes[(tail + mark)...].firstIndex(of: UInt8(ascii: ";")) == nil
        {
            return tail + mark
        }
        return bytes.count
    }

    /// Whether the chunk starts with a tag beyond the cap: the document ends before it, and only the hash goes on.
    private func startsWithOversizedTag(_ chunk: ByteBuffer) -> Bool {
        let cap = ExportReading.Limits.tagBytes
        let bytes = chunk.view
        guard bytes.count > cap, TagLexer.isTag(bytes, at: 0) else { return false }
        let end = TagLexer.attributes(bytes, from: 0) { _, _ in true }
        return end >= bytes.count || end + (bytes[end] == 0x2F ? 2 : 1) > cap
    }

    private mutating func finish(_ chunk: ByteBuffer, cut: Int) -> ByteBuffer {
        let rest = chunk.view[cut...]
        if rest.count > 0 {
            let tail = ByteBuffer(capacity: rest.count)
            tail.append(rest)
            carry = tail
        }
        chunk.truncate(to: cut)
        filter.repair(chunk)
        return chunk
    }
}
