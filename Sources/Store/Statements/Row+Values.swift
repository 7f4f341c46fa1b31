package import GRDB
package import HealthModel

/// Values of rows, read so that a damaged archive cannot stop the process.
///
/// GRDB's own subscripts trap where a value has not the type that is asked for, and in a damaged archive any value can
/// have any type, whatever the column's declaration says.
extension Row {
    /// The value of a column; NULL only for an optional type.
    ///
    /// - Throws: `HealthProbeError` of code `archiveDamaged` where the row has no such column or the value has another
    ///   storage class than the type asked for. Whole numbers are integers and `Double`s alike, because SQLite stores
    ///   a whole REAL as an integer and `total` counts in REALs; nothing else is converted.
    package func get<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        // One look-up: a column that is NULL has the value `.null`.
        guard let stored = self[column] as DatabaseValue? else { throw HealthProbeError.unreadableValue }
        return try Self.value(of: stored)
    }

    /// A count, or Unix seconds.
    ///
    /// - Throws: as `get`, and beyond `ArchiveFormat.highestInstant` too: sums of such numbers would overflow.
    package func bounded(_ column: String) throws -> Int64 {
        let number: Int64 = try get(column)
        guard number.magnitude < ArchiveFormat.highestInstant else { throw HealthProbeError.unreadableValue }
        return number
    }

    /// The same; nil for NULL.
    package func optionalBounded(_ column: String) throws -> Int64? {
        try get(column) as Int64? == nil ? nil : bounded(column)
    }

    /// The value at a position, counted from 0.
    ///
    /// - Throws: as `get` of a column's name.
    package func get<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        guard (0..<count).contains(index) else { throw HealthProbeError.unreadableValue }
        return try Self.value(of: self[index])
    }

    /// The hash in a column: a BLOB of 32 bytes.
    ///
    /// - Throws: `archiveDamaged`, which names the row `id` of `table`, for anything else.
    package func digest(_ column: String, of table: String, _ id: Int64) throws -> Digest256 {
        guard let digest = try? get(column) as Digest256 else {
            throw HealthProbeError.damagedRow(table, id)
        }
        return digest
    }

    private static func value<Value: DatabaseValueConvertible>(of stored: DatabaseValue) throws -> Value {
        let isConverted =
            switch stored.storage {
            case .double(let number):
                Value.self != Double.self && Value.self != Double?.self && Int64(exactly: number) == nil
            case .blob: Value.self == String.self || Value.self == String?.self
            case .string: Value.self != String.self && Value.self != String?.self
            case .null, .int64: false
            }
        guard !isConverted, let value = Value.fromDatabaseValue(stored) else { throw HealthProbeError.unreadableValue }
        return value
    }
}
