internal import Foundation
package import GRDB
package import HealthModel

/// A hash is a BLOB of 32 bytes.
extension Digest256: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { Data(data).databaseValue }

    package static func fromDatabaseValue(_ stored: DatabaseValue) -> Digest256? {
        guard case .blob(let bytes) = stored.storage else { return nil }
        return Digest256(bytes: bytes)
    }
}

/// A state's digest is a BLOB of 40 bytes.
extension StateDigest: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { Data(stored).databaseValue }

    package static func fromDatabaseValue(_ stored: DatabaseValue) -> StateDigest? {
        guard case .blob(let bytes) = stored.storage else { return nil }
        return StateDigest(stored: Array(bytes))
    }
}
