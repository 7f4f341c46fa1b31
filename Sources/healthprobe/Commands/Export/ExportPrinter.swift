internal import Exporting
internal import Foundation
internal import Presentation
internal import TextFormats

/// Prints what an export came to, or would come to.
enum ExportPrinter {
    static func print(
        _ result: BagExport.Outcome, path: String, notRecorded: String?, to output: Output, asJSON: Bool
    ) throws {
        if asJSON {
            try output.writeLine([
                "schema": "healthprobe.export/1", "path": .string(path), "kind": .string(result.kind),
                "exportId": .string(result.exportID), "manifestHash": .string(result.manifestHash),
                "recordCount": .int(Int(result.recordCount)), "byteCount": .int(Int(result.byteCount)),
                "recorded": .bool(notRecorded == nil), "notRecorded": .optional(notRecorded),
                "leftOut": counts(result.leftOut), "warnings": warnings(result.warnings),
            ])
            return
        }
        try output.write(
            "\(TerminalText.safe(path)): \(Counts.of(Int(result.recordCount), "item")), \(Bytes.text(result.byteCount)).\n"
                + "Manifest hash \(result.manifestHash)\n" + details(result.leftOut, result.warnings))
    }

    static func print(preview: BagExport.Outcome, to output: Output, asJSON: Bool) throws {
        if asJSON {
            try output.writeLine([
                "schema": "healthprobe.export.preview/1", "kind": .string(preview.kind),
                "exportId": .string(preview.exportID), "recordCount": .int(Int(preview.recordCount)),
                "estimatedByteCount": .int(Int(preview.byteCount)),
                "types": .array(preview.types.map { ["type": .string($0.type), "count": .int(Int($0.count))] }),
                "roles": .array(preview.roles.map { ["role": .string($0.role), "count": .int(Int($0.count))] }),
                "leftOut": counts(preview.leftOut), "warnings": warnings(preview.warnings),
            ])
            return
        }
        var text = "\(Counts.of(Int(preview.recordCount), "item")), about \(Bytes.text(preview.byteCount)).\n"
        for entry in preview.types { text += "  \(TerminalText.safe(entry.type)): \(entry.count)\n" }
        for entry in preview.roles { text += "  \(entry.role): \(entry.count)\n" }
        try output.write(text + details(preview.leftOut, preview.warnings))
    }

    static func print(
        _ manifest: HealthExportManifest, isPreview: Bool, notRecorded: String?, to output: Output, asJSON: Bool
    ) throws {
        if asJSON {
            try output.writeLine(
                manifest.json.adding([
                    ("recorded", .bool(!isPreview && notRecorded == nil)), ("notRecorded", .optional(notRecorded)),
                ]))
            return
        }
        let verb = isPreview ? "Would write" : "Wrote"
        let size = Bytes.text(manifest.byteCount) + (manifest.isUncompressed ? " before compression" : "")
        let notes = manifest.warnings.map { "note: \(TerminalText.safe($0))\n" }.joined()
        try output.write(
            "\(verb) \(Counts.of(manifest.itemCount, "item")), \(size).\n" + notes
                + (manifest.substitution.map { $0 + "\n" } ?? ""))
    }

    private static func details(
        _ leftOut: [(name: String, count: Int64)], _ warnings: [(code: String, message: String)]
    ) -> String {
        let left = leftOut.map { "left out or blank: \($0.name), \($0.count)\n" }
        return left.joined() + warnings.map { "warning: \(TerminalText.safe($0.message))\n" }.joined()
    }

    private static func counts(_ counts: [(name: String, count: Int64)]) -> JSON {
        .object(counts.map { ($0.name, .int(Int($0.count))) })
    }

    private static func warnings(_ warnings: [(code: String, message: String)]) -> JSON {
        .array(warnings.map { ["code": .string($0.code), "message": .string($0.message)] })
    }
}
