internal import Basics
internal import GRDB
internal import HealthModel
internal import Store

/// Identity and version of every row, computed again; only a deep check does this.
enum HashInvariants {
    static let all = [
        InvariantCheck("G01-identities") { scope in
            try each(scope, "f.sample_id = f.id", "record versions whose identity does not follow from their key") {
                try $0.isIdentitySound($1)
            }
        },
        InvariantCheck("G02-versions") { scope in
            try each(scope, "f.payload_id IS NULL", "record versions whose version does not follow from their payload")
            {
                try $0.isVersionSound($1)
            }
        },
        InvariantCheck("G03-devices", devices),
    ]

    /// Tests every row that has the columns itself; the others share them with such a row, as `B03` proves.
    private static func each(
        _ scope: CheckScope, _ hasColumns: String, _ what: String,
        _ isSound: (StoredHashes, VersionCursor) throws -> Bool
    ) throws -> String? {
        let hashes = StoredHashes(scope.db)
        let row = try VersionCursor(
            scope.db,
            """
            SELECT \(VersionColumns.ofView("f")) FROM full_record_versions f
            WHERE \(hasColumns) AND f.device_chain_id IN (\(try scope.chainList()))
            """)
        defer { row.reset() }
        var violations = Violations()
        while try row.next() {
            if try !isSound(hashes, row) { violations.add(row.rowID) }
        }
        return violations.detail(what)
    }

    /// The compared fields of each device follow from its first text.
    private static func devices(_ scope: CheckScope) throws -> String? {
        try scope.violations(
            "devices whose fields do not follow from their text", "SELECT id, fields, first_text FROM devices"
        ) { row in
            let fields = Device(row.text(2) ?? "").canonicalJSON.canonicalText
            return row.text(1).map { Array($0.utf8) } != Array(fields.utf8)
        }
    }
}
