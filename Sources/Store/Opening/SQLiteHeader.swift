package import Foundation

/// What the first bytes of an SQLite file say, read without SQLite.
package struct SQLiteHeader {
    /// What every SQLite file begins with.
    package static let start = Array("SQLite format 3\0".utf8)
    private static let byteCount = 100

    /// Whose file it is.
    package let applicationID: Int32
    /// Which schema it has.
    package let userVersion: Int32

    /// Reads from the beginning of a file; nil where it is no SQLite file.
    ///
    /// Not for a file that this process has open: closing any descriptor of it drops SQLite's locks.
    package init?(_ file: FileHandle) throws {
        // Nil is an empty file.
        let bytes = try file.read(upToCount: Self.byteCount) ?? Data()
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.start) else { return nil }
        func number(at place: Int) -> Int32 { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int32($1) } }
        (userVersion, applicationID) = (number(at: 60), number(at: 68))
    }
}
