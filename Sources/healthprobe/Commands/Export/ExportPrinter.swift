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
                "leftOut": result.leftOutJSON, "warnings": result.warningsJSON,
            ])
            return
        }
        let size = "\(Counts.of(result.recordCount, "item")), \(Bytes.text(result.byteCount))."
        try output.write(
            Document([.paragraph("\(path): \(size)"), .paragraph("Manifest hash \(result.manifestHash)")]))
    }

    static func print(preview: BagExport.Outcome, to output: Output, asJSON: Bool) throws {
        if asJSON { try output.writeLine(preview.previewLine) } else { try output.write(preview.previewDocument) }
    }

    static func print(
        _ manifest: HealthExportManifest, isPreview: Bool, notRecorded: String?, to output: Output, asJSON: Bool
    ) throws {
        if asJSON {
            let isRecorded = !isPreview && notRecorded == nil
            try output.writeLine(manifest.line(isRecorded: isRecorded, notRecorded: notRecorded))
        } else {
            try output.write(manifest.document(isPreview: isPreview))
        }
    }
}
