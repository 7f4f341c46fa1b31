package import Basics
package import HealthModel

/// Writes the text whose SHA-256 is a row's identity from the columns of its strict key.
///
/// The identity covers the key only; type, start and end are stored a second time because they are searched for, and have to
/// agree with it.
package final class IdentityText {
    private let names: ArchiveNames
    /// Types and units as JSON literals.
    private var types = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)
    private var units = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)

    package init(_ names: ArchiveNames) { self.names = names }

    /// The columns of a strict key.
    private struct Fields {
        var type: Int64
        var start: Int64?
        var end: Int64?
        var value: VersionCursor.Value
        var lexicalForm: ByteView?
        var descriptor: Int64
        var strictKey: ByteView?
    }

    /// Appends the text of the row on which a cursor is.
    ///
    /// - Parameter item: what it has beside the columns; nil for a plain record.
    /// - Returns: false where the columns are none of which an identity follows; the buffer is undefined then.
    package func append(_ row: VersionCursor, _ item: StoredItem?, to out: ByteBuffer) throws -> Bool {
        try append(
            Fields(
                type: row.typeID, start: row.start, end: row.end, value: row.value, lexicalForm: row.lexicalForm,
                descriptor: row.descriptorID, strictKey: row.strictKey), item, to: out)
    }

    /// Appends the text of a row whose texts are in `arena`.
    ///
    /// - Parameter item: what it has beside the columns; nil for a plain record.
    /// - Returns: as for a cursor's row.
    package func append(
        _ row: HeldVersion, _ item: StoredItem?, in arena: ByteBuffer, to out: ByteBuffer
    ) throws -> Bool {
        try append(
            Fields(
                type: row.typeID, start: row.start, end: row.end, value: row.value(in: arena),
                lexicalForm: arena.bytes(of: row.lexicalForm), descriptor: row.descriptorID,
                strictKey: arena.bytes(of: row.strictKey)), item, to: out)
    }

    private func append(_ fields: Fields, _ item: StoredItem?, to out: ByteBuffer) throws -> Bool {
        out.append(ItemHash.identityPrefix)
        if let strictKey = fields.strictKey {
            guard case .absent = fields.value, let item else { return false }
            out.append(strictKey)
            return try item.sampleType == names.type(fields.type)
                && [fields.start, fields.end].compactMap { $0 }.starts(with: item.instants)
        }
        guard let start = fields.start, let end = fields.end else { return false }
        out.append(.openingBracket)
        out.append(try typeLiteral(fields.type))
        out.append(.comma)
        out.append(decimal: start)
        out.append(.comma)
        out.append(decimal: end)
        switch fields.value {
        case .absent: out.append(",\"none\",null")
        case .text(let text):
            out.append(",\"text\",")
            out.append(json: text)
        case .number(let number):
            out.append(",\"number\",")
            if let lexicalForm = fields.lexicalForm {
                guard let parsed = CanonicalNumber(lexicalForm), parsed.value == number else { return false }
                parsed.append(to: out)
            } else if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
                out.append(decimal: whole)
            } else {
                CanonicalNumber(number).append(to: out)
            }
        }
        out.append(.comma)
        out.append(try unitLiteral(fields.descriptor))
        out.append(.closingBracket)
        return true
    }

    private func typeLiteral(_ id: Int64) throws -> [UInt8] {
        try types.bytes(for: id) { $0.append(json: try names.type(id)) }
    }

    private func unitLiteral(_ descriptor: Int64) throws -> [UInt8] {
        try units.bytes(for: descriptor) { $0.append(.optional(try names.descriptor(descriptor).unit), .canonical) }
    }
}
