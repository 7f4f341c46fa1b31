internal import Basics
internal import Evidence
internal import Exporting
internal import Foundation
internal import GRDB
internal import Store

extension CacheContents {
    /// Writes the recorded exports.
    func writeExports() throws {
        let exports = try RecordedExport.all(db).map { export in
            (
                "\(export.id)",
                JSON.array([
                    .string(Self.summary(export)),
                    .string(try ExportReproduction.status(db, export, hasKey: hasKey).rawValue),
                ])
            )
        }
        try db.execute(
            sql: """
                INSERT INTO main.CachedExportManifest
                SELECT m.export_id, m.export_kind, CAST(m.created_at AS INTEGER), m.from_observation_id,
                    m.to_observation_id, e.value ->> 0, m.record_count, m.manifest_hash, NULL, e.value ->> 1, \(now),
                    CAST(m.recorded_at AS INTEGER), m.id
                FROM export_manifests m JOIN json_each(?) e ON CAST(e.key AS INTEGER) = m.id
                """, arguments: [Self.text(exports)])
    }

    /// What was exported in one sentence, without a name from an export.
    private static func summary(_ export: RecordedExport) -> String {
        let kind = export.kind.replacingOccurrences(of: "_", with: " ")
        let sides = [export.fromObservation, export.toObservation].compactMap(\.self).map { "\($0)" }
        let span =
            sides.isEmpty ? "" : " of observation\(sides.count > 1 ? "s" : "") \(sides.joined(separator: " to "))"
        guard let question = ExportQuestion(json: export.question) else { return "A \(kind)\(span)." }
        let types = question.types.map { "\($0.count) chosen type\($0.count == 1 ? "" : "s")" } ?? "all types"
        let days = question.since != nil || question.until != nil ? ", a chosen interval" : ""
        return "\(kind)\(span), \(types)\(days), provenance \(question.provenance.rawValue)."
    }
}
