internal import HealthModel
package import Presentation
package import TextFormats

/// What an export would hold, before anything is written.
extension BagExport.Outcome {
    /// The line of `export --preview --json`.
    package var previewLine: JSON {
        [
            "schema": "healthprobe.export.preview/1", "kind": .string(kind), "exportId": .string(exportID),
            "recordCount": .int(recordCount), "estimatedByteCount": .int(byteCount),
            "types": .array(types.map { ["type": .string($0.type), "count": .int($0.count)] }),
            "roles": .array(roles.map { ["role": .string($0.role), "count": .int($0.count)] }),
            "leftOut": leftOutJSON, "warnings": warningsJSON,
        ]
    }

    /// The counts, and what is left out.
    package var previewDocument: Document {
        var document = Document([
            .paragraph("\(Counts.of(recordCount, "item")), about \(Bytes.text(byteCount)).")
        ])
        document.append(types.map { .paragraph("\($0.type): \($0.count)", .remark) })
        document.append(roles.map { .paragraph("\($0.role): \($0.count)", .remark) })
        document.append(notes.map { .paragraph($0) })
        return document
    }

    /// What was left out, and what is to be known about the export.
    package var notes: [String] {
        leftOut.map { "left out or blank: \($0.name), \($0.count)" } + warnings.map { "warning: \($0.message)" }
    }

    package var leftOutJSON: JSON { .object(leftOut.map { ($0.name, .int($0.count)) }) }

    package var warningsJSON: JSON {
        .array(warnings.map { ["code": .string($0.code), "message": .string($0.message)] })
    }
}

extension HealthExportManifest {
    /// The line of `export xml --json`.
    ///
    /// - Parameter notRecorded: why the export was not recorded in the archive.
    package func line(isRecorded: Bool, notRecorded: String?) -> JSON {
        json.adding([("recorded", .bool(isRecorded)), ("notRecorded", .optional(notRecorded))])
    }

    /// What is to be known about the export.
    package var notes: [String] { warnings.map { "note: \($0)" } }

    /// What was written; or what would be, with what is to be known about it.
    package func document(isPreview: Bool) -> Document {
        let size = Bytes.text(byteCount) + (isUncompressed ? " before compression" : "")
        let verb = isPreview ? "Would write" : "Wrote"
        return Document(
            [.paragraph("\(verb) \(Counts.of(itemCount, "item")), \(size).")]
                + (isPreview ? notes.map { .paragraph($0) } : [])
                + [substitution].compactMap { $0.map { .paragraph($0) } })
    }
}
