package import Basics
package import Presentation

/// What an export holds, or would hold before anything is written.
extension BagExport.Outcome {
    /// The line of `export --preview --json`.
    package var previewLine: JSON {
        .line(
            "export.preview",
            [
                "kind": kind, "exportId": exportID, "recordCount": recordCount, "estimatedByteCount": byteCount,
                "types": types.map { JSON.row(["type": $0.type, "count": $0.count]) },
                "roles": roles.map { JSON.row(["role": $0.role, "count": $0.count]) },
                "leftOut": leftOutJSON, "warnings": warningsJSON,
            ])
    }

    /// The counts, and what is left out.
    package var previewDocument: Document {
        var document = Document([
            .paragraph("\(Counts.of(recordCount, "item")), about \(Bytes.text(byteCount)).")
        ])
        document.append(types.map { .paragraph("\($0.type): \($0.count)", .remark) })
        document.append(roles.map { .paragraph("\($0.role): \($0.count)", .remark) })
        document.append(notes.map { .paragraph($0) } + [.paragraph(provenance.sentence)])
        return document
    }

    /// The line of `export --json`.
    ///
    /// - Parameter notRecorded: why the export was not recorded in the archive.
    package func line(path: String, notRecorded: String?) -> JSON {
        .line(
            "export",
            [
                "path": path, "kind": kind, "exportId": exportID, "manifestHash": manifestHash,
                "recordCount": recordCount, "byteCount": byteCount, "recorded": notRecorded == nil,
                "notRecorded": notRecorded, "leftOut": leftOutJSON, "warnings": warningsJSON,
            ])
    }

    /// What was written.
    package func document(path: String) -> Document {
        let size = "\(Counts.of(recordCount, "item")), \(Bytes.text(byteCount))."
        return Document([
            .paragraph("\(path): \(size)"), .paragraph("Manifest hash \(manifestHash)"),
            .paragraph(provenance.sentence),
        ])
    }

    /// What was left out, and what is to be known about the export.
    package var notes: [String] {
        leftOut.map { "left out or blank: \($0.name), \($0.count)" } + warnings.map { "warning: \($0.message)" }
    }

    private var leftOutJSON: JSON { .object(leftOut.map { ($0.name, .int($0.count)) }) }

    private var warningsJSON: JSON {
        warnings.map { JSON.row(["code": $0.code, "message": $0.message]) }.json
    }
}

extension HealthExportManifest {
    /// The line of `export xml --json`.
    ///
    /// - Parameter notRecorded: why the export was not recorded in the archive.
    package func line(isRecorded: Bool, notRecorded: String?) -> JSON {
        json.adding(["recorded": isRecorded, "notRecorded": notRecorded])
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
                + [substitution].compactMap { $0.map { .paragraph($0) } } + [.paragraph(namesSentence)])
    }
}
