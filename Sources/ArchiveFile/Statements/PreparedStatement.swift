package import GRDB
package import TextFormats

/// A prepared statement without a pointer in its interface: what is bound is copied, and the first bind that fails is thrown
/// by the next step.
package struct PreparedStatement {
    private let statement: UnsafeStatement

    package init(_ db: Database, _ sql: String) throws { statement = try UnsafeStatement(db, sql) }

    // MARK: - Binding: parameters are counted from 1

    package func bind(_ index: Int32, _ value: Int64) { statement.bind(index, value) }

    package func bind(_ index: Int32, _ value: Double) { statement.bind(index, value) }

    package func bind(_ index: Int32, optional value: Int64?) { statement.bind(index, optional: value) }

    package func bind(_ index: Int32, text: String) { statement.bind(index, text: text) }

    package func bind(_ index: Int32, blob: [UInt8]) { blob.withByteView { statement.bind(index, blob: $0) } }

    package func bindNull(_ index: Int32) { statement.bindNull(index) }

    // MARK: - Stepping

    /// Runs a statement that returns no row and makes it ready for the next.
    package func run() throws { try statement.run() }

    /// Runs a statement that returns no row with values for its parameters in their order, nil for NULL.
    package func run(binding values: [Int64?]) throws { try statement.run(binding: values) }

    /// Steps to the next row; false behind the last.
    package func step() throws -> Bool { try statement.step() }

    package func reset() { statement.reset() }

    // MARK: - Columns of the present row: counted from 0

    /// The row of `record_versions` with its id in the first column, decoded so that damage throws.
    package var storedRow: StoredRow { StoredRow(statement: statement) }

    package func int(_ column: Int32) -> Int64 { statement.int(column) }

    package func double(_ column: Int32) -> Double { statement.double(column) }

    package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

    package func optionalInt(_ column: Int32) -> Int64? { statement.optionalInt(column) }

    /// Seconds since 1970, or between two instants; nil for NULL.
    ///
    /// - Throws: `archiveDamaged` beyond `ArchiveFormat.highestInstant`.
    package func instant(_ column: Int32) throws -> Int64? { try statement.instant(column) }

    package func text(_ column: Int32) -> String? { statement.text(column) }

    /// Appends the value of a column with its storage class, so that no two rows of values have the same bytes.
    package func appendBytes(_ column: Int32, to out: ByteBuffer) {
        let storage = statement.storage(column)
        out.append(UInt8(truncatingIfNeeded: storage.rawValue))
        switch storage {
        case .null: break
        case .integer: out.append(long: statement.int(column))
        case .real: out.append(long: Int64(bitPattern: statement.double(column).bitPattern))
        case .text, .blob:
            guard let bytes = statement.bytes(column) else { return }
            out.append(long: Int64(bytes.count))
            out.append(bytes)
        }
    }

    /// The bytes of a text or BLOB; nil for NULL.
    package func bytes(_ column: Int32) -> [UInt8]? {
        isNull(column) ? nil : statement.bytes(column)?.array ?? []
    }
}

/// Ids as text of SQL statements.
extension Sequence<Int64> {
    /// `1, 2, 3`, for `IN (...)` in the text of a statement.
    package var sqlList: String { map(String.init).joined(separator: ", ") }

    /// `[1, 2, 3]`, for `IN (SELECT value FROM json_each(?))`: a list of any length in one bound argument.
    package var boundList: String { "[\(sqlList)]" }
}
