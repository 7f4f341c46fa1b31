package import GRDB
package import HealthModel
package import Store

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
        guard let digits = digits(prefix) else {
            throw HealthProbeError(
                .usage, "Give \(minimumDigits) to 64 hexadecimal digits: the first ones of an identity.",
                hint: "Take it from the records that healthprobe records --json lists.")
        }
        let found = try sampleRows(db, hexPrefix: digits, chain: chain)
        guard let first = found.first else {
            throw HealthProbeError(
                .usage, "No record of the chain \(chain.name) has an identity that starts with \(digits).",
                hint: "Identities follow from type, dates, value and unit; see healthprobe records --json.")
        }
        guard found.count == 1 else {
            let list = found.prefix(listed).map(\.identity.hex).joined(separator: ", ")
            throw HealthProbeError(
                .usage, "\(found.count) records have an identity that starts with \(digits).",
                hint: "Give more digits: \(list)\(found.count > listed ? ", …" : "").")
        }
        return first
    }

    /// The digits in lower case; nil where they are none, too few or too many.
    static func digits(_ prefix: String) -> String? {
        let digits = prefix.lowercased()
        let isHexadecimal = digits.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
        return isHexadecimal && (minimumDigits...64).contains(digits.utf8.count) ? digits : nil
    }

    /// The rows with the strict key of all samples of a chain whose identity starts with these digits, by identity.
    ///
    /// Rows of imports that did not finish have no visible range and are left out.
    static func sampleRows(
        _ db: Database, hexPrefix: String, chain: Chain
    ) throws -> [(rowID: Int64, identity: Digest256)] {
        func digest(filledWith digit: Character) throws -> Digest256 {
            let digits = hexPrefix + String(repeating: digit, count: max(0, 64 - hexPrefix.utf8.count))
            guard let digest = Digest256(hex: digits) else { throw HealthProbeError.unreadableValue }
            return digest
        }
        let (lowest, highest) = try (digest(filledWith: "0"), digest(filledWith: "f"))
        let statement = try PreparedStatement(
            db,
            "SELECT id, identity FROM record_versions WHERE id = ?1 AND device_chain_id = ?2 AND sample_id IS NULL")
        let row = StoredRow(statement: statement)
        var found: [(rowID: Int64, identity: Digest256)] = []
        for id in Set(try IdentityIndex.rows(db, from: lowest.prefix32, through: highest.prefix32)) {
            statement.bind(1, id)
            statement.bind(2, chain.id)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            let identity = try row.digest(1)
            guard lowest <= identity, identity <= highest, try !History.rows(db, of: id, chain: chain).isEmpty else {
                continue
            }
            found.append((id, identity))
        }
        return found.sorted { $0.identity < $1.identity }
    }
}

extension History {
    /// The identities in a chain that start with these digits, in order.
    ///
    /// - Returns: nil where the digits are none, or too few.
    package static func identities(_ db: Database, chain: Chain, prefix: String) throws -> [Digest256]? {
        guard let digits = IdentityLookup.digits(prefix) else { return nil }
        return try IdentityLookup.sampleRows(db, hexPrefix: digits, chain: chain).map(\.identity)
    }

    /// The identity of the one sample of a chain whose identity starts with these digits.
    ///
    /// - Throws: `usage` where the digits are none, too few, name no sample or several.
    package static func identity(_ db: Database, chain: Chain, prefix: String) throws -> Digest256 {
        try IdentityLookup.sample(db, chain: chain, prefix: prefix).identity
    }
}
