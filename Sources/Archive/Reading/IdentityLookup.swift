internal import Foundation
package import GRDB
package import HealthModel

/// Finds samples by the first hexadecimal digits of their identity.
enum IdentityLookup {
    /// Fewer digits would name half the archive.
    static let minimumDigits = 4
    /// How many samples an ambiguous prefix lists.
    static let listed = 10

    /// The one sample of a chain whose identity starts with these digits, as the row that has the whole identity.
    ///
    /// - Throws: `usage` where the digits are none, too few, name no sample or several.
    static func sample(_ db: Database, chain: Chain, prefix: String) throws -> (rowID: Int64, identity: Digest256) {
        let digits = prefix.lowercased()
        guard digits.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }),
            (minimumDigits...64).contains(digits.utf8.count)
        else {
            throw ArchiveError(
                .usage, "Give \(minimumDigits) to 64 hexadecimal digits: the first ones of an identity.",
                hint: "Take it from the records that healthprobe records --json lists.")
        }
        let found = try sampleRows(db, hexPrefix: digits, chain: chain)
        guard let first = found.first else {
            throw ArchiveError(
                .usage, "No record of the chain \(chain.name) has an identity that starts with \(digits).",
                hint: "Identities follow from type, dates, value and unit; see healthprobe records --json.")
        }
        guard found.count == 1 else {
            let list = found.prefix(listed).map(\.identity.hex).joined(separator: ", ")
            throw ArchiveError(
                .usage, "\(found.count) records have an identity that starts with \(digits).",
                hint: "Give more digits: \(list)\(found.count > listed ? ", …" : "").")
        }
        return first
    }

    /// The rows with the strict key of all samples of a chain whose identity starts with these digits, by identity.
    ///
    /// Rows of imports that did not finish have no visible range and are left out.
    static func sampleRows(
        _ db: Database, hexPrefix: String, chain: Chain
    ) throws -> [(rowID: Int64, identity: Digest256)] {
        let lowest = bytes(hexPrefix, filledWith: "0")
        let highest = bytes(hexPrefix, filledWith: "f")
        func word(_ bytes: [UInt8]) -> UInt32 { bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
        let statement = try db.makeStatement(
            sql: """
                SELECT c.identity FROM record_versions c
                WHERE c.id = ? AND c.device_chain_id = ? AND c.sample_id IS NULL AND c.identity BETWEEN ? AND ?
                """)
        let candidates = try IdentityIndex.copies(db, from: word(lowest), through: word(highest))
        var found: [(rowID: Int64, identity: Digest256)] = []
        for id in Set(candidates) {
            let data = try Data.fetchOne(statement, arguments: [id, chain.id, Data(lowest), Data(highest)])
            if let identity = data?.withUnsafeBytes({ Digest256(bytes: $0) }),
                try !History.copies(db, of: id, chain: chain).isEmpty
            {
                found.append((id, identity))
            }
        }
        return found.sorted { $0.identity < $1.identity }
    }

    /// The 32 bytes of a prefix whose missing digits are filled in.
    private static func bytes(_ prefix: String, filledWith digit: Character) -> [UInt8] {
        Digest256(hex: prefix + String(repeating: digit, count: max(0, 64 - prefix.utf8.count)))?.data ?? []
    }
}

extension History {
    /// The identity of the one sample of a chain whose identity starts with these digits.
    ///
    /// - Throws: `usage` where the digits are none, too few, name no sample or several.
    package static func identity(_ db: Database, chain: Chain, prefix: String) throws -> Digest256 {
        try IdentityLookup.sample(db, chain: chain, prefix: prefix).identity
    }
}
