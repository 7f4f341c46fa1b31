package import GRDB
internal import Store

/// An export that was written and recorded.
package struct RecordedExport: Sendable {
    /// One exported record version, by its rows.
    package struct Item: Sendable {
        package var sampleID: Int64
        package var rowID: Int64
        /// 64 hexadecimal digits.
        package var hash: String

        package init(sampleID: Int64, rowID: Int64, hash: String) {
            self.sampleID = sampleID
            self.rowID = rowID
            self.hash = hash
        }
    }

    package var id: Int64 = 0
    /// SHA-256 of the question and the states it was asked of, in hexadecimal.
    package var exportID: String
    /// When the last observation asked of was completed, as Unix seconds.
    package var createdAt: Double
    package var kind: String
    package var fromObservation: Int64?
    package var toObservation: Int64?
    /// The question as canonical JSON.
    package var question: String
    package var manifestHash: String
    package var recordCount: Int64
    package var program: String
    package var hasItems = false
    package var recordedAt: Double = 0

    package init(
        exportID: String, createdAt: Double, kind: String, fromObservation: Int64?, toObservation: Int64?,
        question: String, manifestHash: String, recordCount: Int64, program: String
    ) {
        self.exportID = exportID
        self.createdAt = createdAt
        self.kind = kind
        self.fromObservation = fromObservation
        self.toObservation = toObservation
        self.question = question
        self.manifestHash = manifestHash
        self.recordCount = recordCount
        self.program = program
    }

    /// All recorded exports in the order in which they were recorded.
    package static func all(_ db: Database) throws -> [RecordedExport] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* The recorded exports */
                SELECT * FROM export_manifests ORDER BY id
                """)
        return try rows.map { row in
            var export = try RecordedExport(
                exportID: row.get("export_id"), createdAt: row.get("created_at"), kind: row.get("export_kind"),
                fromObservation: row.get("from_observation_id"), toObservation: row.get("to_observation_id"),
                question: row.get("filter_json"), manifestHash: row.get("manifest_hash"),
                recordCount: row.get("record_count"),
                program: row.get("program"))
            export.id = try row.get("id")
            export.hasItems = try row.get("has_items") == 1
            export.recordedAt = try row.get("recorded_at")
            return export
        }
    }
}
