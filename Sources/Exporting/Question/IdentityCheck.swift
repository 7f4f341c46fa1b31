internal import Archive
internal import HealthModel
internal import TextFormats

/// Tests on a thread of its own that the identity of each exported row follows from the row's fields.
///
/// A value that was changed in the archive is refused before it leaves it under the identity of another.
final class IdentityCheck {
    /// Strict keys one after the other, and where each ends.
    private struct Batch {
        var keys = ByteBuffer(capacity: IdentityCheck.fullBytes + 4096)
        var entries: [(end: Int, identity: Digest256, row: Int64)] = []
    }

    private static let fullBytes = 64 << 10
    private static let maximumKept = 20_000
    private static let null = Array("null".utf8)
    private let lookup: ExportLookup
    private let hashing: WriterThread<Batch, Void>
    private var batch = Batch()
    private var types: [Int64: (identifier: String, literal: [UInt8])] = [:]
    private var units: [Int64: [UInt8]] = [:]
    private var lastType: (id: Int64, literal: [UInt8]) = (-1, [])
    private var lastUnit: (descriptor: Int64, literal: [UInt8]) = (-1, [])

    init(_ lookup: ExportLookup) {
        self.lookup = lookup
        hashing = WriterThread { thread in
            while let batch = thread.pop() {
                var from = 0
                for entry in batch.entries {
                    let key = UnsafeRawBufferPointer(rebasing: batch.keys.bytes[from..<entry.end])
                    guard Digest256(hashing: key) == entry.identity else { throw Self.refusal(entry.row) }
                    from = entry.end
                }
            }
        }
    }

    deinit { hashing.cancel() }

    /// Adds a plain record.
    ///
    /// - Parameters:
    ///   - start: Unix seconds, as is `end`.
    ///   - lexicalForm: how the number is printed, where that is not the shortest decimal.
    func addRecord(
        row: Int64, type: Int64, descriptor: Int64, start: Int64?, end: Int64?, value: CopyScan.Value,
        lexicalForm: ByteView?, identity: Digest256
    ) throws {
        let out = batch.keys
        out.append(ItemHash.identityPrefix)
        out.append(0x5B)
        out.append(try typeLiteral(type))
        for instant in [start, end] {
            guard let instant else { throw Self.refusal(row) }
            out.append(0x2C)
            out.append(decimal: instant)
        }
        switch value {
        case .absent: out.append(",\"none\",null")
        case .text(let text):
            out.append(",\"text\",")
            out.append(json: text)
        case .number(let number):
            out.append(",\"number\",")
            if let lexicalForm {
                guard let parsed = CanonicalNumber(lexicalForm), parsed.value == number else { throw Self.refusal(row) }
                parsed.append(to: out)
            } else if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
                out.append(decimal: whole)
            } else {
                guard number.isFinite else { throw Self.refusal(row) }
                CanonicalNumber(number).append(to: out)
            }
        }
        out.append(0x2C)
        out.append(try unitLiteral(descriptor))
        out.append(0x5D)
        try finishKey(row, identity)
    }

    /// Adds an item of another kind, whose strict key is stored.
    func addItem(row: Int64, type: Int64, start: Int64?, end: Int64?, strictKey: ByteView, identity: Digest256) throws {
        let identifier = try self.type(type).identifier
        guard let fields = JSONScanner.elements(of: strictKey) else { throw Self.refusal(row) }
        let hasAttributes = fields.last.map { strictKey[$0].start[0] == .openingBrace } ?? false
        let kind = ItemKind(type: identifier, keyFields: fields.count, hasAttributes: hasAttributes)
        let isFit = StrictKeyForm.fits(
            strictKey.array, kind: kind, type: identifier, start: start, duration: end.map { $0 &- (start ?? 0) })
        guard isFit else { throw Self.refusal(row) }
        batch.keys.append(ItemHash.identityPrefix)
        batch.keys.append(strictKey.start, strictKey.count)
        try finishKey(row, identity)
    }

    /// Adds the row at which a scan stands.
    func add(_ scan: CopyScan) throws {
        if let key = scan.strictKey {
            try addItem(
                row: scan.rowID, type: scan.typeID, start: scan.start, end: scan.end, strictKey: key,
                identity: scan.identity)
        } else {
            try addRecord(
                row: scan.rowID, type: scan.typeID, descriptor: scan.descriptorID, start: scan.start, end: scan.end,
                value: scan.value, lexicalForm: scan.lexicalForm, identity: scan.identity)
        }
    }

    /// Waits until all rows are tested.
    ///
    /// - Throws: `integrityFailure` for a row whose identity does not follow from its fields.
    func finish() throws {
        if !batch.entries.isEmpty { try hashing.push(batch) }
        try hashing.finish()
    }

    private func finishKey(_ row: Int64, _ identity: Digest256) throws {
        batch.entries.append((batch.keys.count, identity, row))
        guard batch.keys.count >= Self.fullBytes else { return }
        try hashing.push(batch)
        batch = Batch()
    }

    private func type(_ id: Int64) throws -> (identifier: String, literal: [UInt8]) {
        if let known = types[id] { return known }
        if types.count >= Self.maximumKept { types.removeAll() }
        let identifier = try lookup.type(id)
        let made = (identifier, Array(JSON.string(identifier).canonicalText.utf8))
        types[id] = made
        return made
    }

    private func typeLiteral(_ id: Int64) throws -> [UInt8] {
        if lastType.id != id { lastType = (id, try type(id).literal) }
        return lastType.literal
    }

    private func unitLiteral(_ descriptor: Int64) throws -> [UInt8] {
        if lastUnit.descriptor == descriptor { return lastUnit.literal }
        if units[descriptor] == nil {
            if units.count >= Self.maximumKept { units.removeAll() }
            units[descriptor] =
                try lookup.source(descriptor).unit.map { Array(JSON.string($0).canonicalText.utf8) } ?? Self.null
        }
        lastUnit = (descriptor, units[descriptor] ?? Self.null)
        return lastUnit.literal
    }

    private static func refusal(_ row: Int64) -> ArchiveError {
        ArchiveError(
            .integrityFailure,
            "The identity of row \(row) of record_versions does not follow from its fields; it is not exported.",
            hint: "Run healthprobe check --deep.")
    }
}
