package import Basics
package import HealthModel

/// The stored row that a statement is positioned on, decoded with one answer to damage: an error that names
/// table and row.
///
/// In a damaged archive any value can have any type, whatever the column's declaration says.
package struct StoredRow {
    package let statement: PreparedStatement
    let idColumn: Int32
    let table: StaticString

    package init(statement: PreparedStatement, idColumn: Int32 = 0, table: StaticString = "record_versions") {
        self.statement = statement
        self.idColumn = idColumn
        self.table = table
    }

    /// - Throws: `archiveDamaged` for all that is no integer.
    @inline(__always)
    package func integer(_ column: Int32) throws -> Int64 {
        let value = statement.value(column)
        guard value.storage == .integer else { throw damage }
        return value.int
    }

    /// An integer; nil for NULL.
    @inline(__always)
    package func optionalInteger(_ column: Int32) throws -> Int64? {
        let value = statement.value(column)
        switch value.storage {
        case .null: return nil
        case .integer: return value.int
        default: throw damage
        }
    }

    /// Unix seconds, or seconds between two instants; nil for NULL.
    ///
    /// - Throws: `archiveDamaged` beyond `ArchiveFormat.highestInstant` too: sums of such numbers would overflow.
    @inline(__always)
    package func instant(_ column: Int32) throws -> Int64? {
        guard let seconds = try optionalInteger(column) else { return nil }
        guard seconds.magnitude < ArchiveFormat.highestInstant else { throw damage }
        return seconds
    }

    /// A value's number; nil for NULL and for a value that is a text.
    ///
    /// - Throws: `archiveDamaged` for a BLOB and for a number that is not finite.
    @inline(__always)
    package func number(_ column: Int32) throws -> Double? {
        let value = statement.value(column)
        switch value.storage {
        case .null, .text: return nil
        case .integer, .real:
            let number = value.double
            guard number.isFinite else { throw damage }
            return number
        case .blob: throw damage
        }
    }

    /// A finite number; nil for NULL.
    package func real(_ column: Int32) throws -> Double? {
        if statement.isText(column) { throw damage }
        return try number(column)
    }

    /// A BLOB as it is stored, valid until the next step; nil for NULL and an empty one.
    package func blob(_ column: Int32) throws -> ByteView? {
        let value = statement.value(column)
        guard [.null, .blob].contains(value.storage) else { throw damage }
        return value.bytes
    }

    /// A text as it is stored, valid until the next step; nil for NULL.
    package func text(_ column: Int32) throws -> ByteView? {
        let value = statement.value(column)
        switch value.storage {
        case .null: return nil
        // A text of length 0 has no address.
        case .text: return value.bytes ?? ByteView("")
        default: throw damage
        }
    }

    /// A hash: a BLOB of 32 bytes.
    @inline(__always)
    package func digest(_ column: Int32) throws -> Digest256 {
        let value = statement.value(column)
        guard value.storage == .blob, let digest = value.bytes.flatMap({ Digest256(bytes: $0) }) else { throw damage }
        return digest
    }

    /// A hash; nil for NULL.
    package func optionalDigest(_ column: Int32) throws -> Digest256? {
        statement.isNull(column) ? nil : try digest(column)
    }

    package var damage: HealthProbeError { .damagedRow("\(table)", statement.int(idColumn)) }
}
