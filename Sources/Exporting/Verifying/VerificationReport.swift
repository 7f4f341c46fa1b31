package import Basics
package import Presentation

/// What a sound export says of itself.
package struct VerificationReport: JSONConvertible, Sendable {
    package var kind: String
    package var exportID: String
    package var createdAt: String
    package var recordCount: Int64
    package var manifestHash: String
    package var provenance: Provenance
    /// Items whose identity was recomputed from their members, and items in which those are not as the export file had
    /// them; both 0 where the items are no records.
    package var identitiesRecomputed: Int64
    package var identitiesSkipped: Int64
    /// Payload files and their bytes.
    package var fileCount: Int
    package var byteCount: Int64
    /// Nil without a signature.
    package var signature: SSHSignature.Verdict?

    /// The line of `verify-export --json`.
    package var json: JSON {
        let signature =
            switch self.signature {
            case .trusted(let signer): signer
            case .unknownSigner: "unknownSigner"
            case nil: "none"
            }
        return .line(
            "verify",
            [
                "valid": true, "kind": kind, "exportId": exportID, "createdAt": createdAt, "recordCount": recordCount,
                "manifestHash": manifestHash, "provenance": provenance.rawValue,
                "identitiesRecomputed": identitiesRecomputed, "identitiesSkipped": identitiesSkipped,
                "files": fileCount, "byteCount": byteCount, "signature": signature, "failure": nil,
            ])
    }

    /// The verdict on the export at a path.
    package func document(path: String) -> Document {
        let signature =
            switch self.signature {
            case .trusted(let signer): "signed by \(signer)"
            case .unknownSigner: "signed; the signer was not checked (--signers)"
            case nil: "not signed"
            }
        var document = Document([.paragraph("\(path): valid. \(kind), \(recordCount) items, \(signature).")])
        if identitiesRecomputed + identitiesSkipped > 0 {
            let skipped =
                identitiesSkipped > 0
                ? "; \(Counts.grouped(identitiesSkipped)) could not be: the export lacks their fields" : ""
            document.paragraph("\(Counts.of(identitiesRecomputed, "identity", "identities")) recomputed\(skipped).")
        }
        document.paragraph("Manifest hash \(manifestHash)")
        return document
    }
}

/// The first thing that is wrong with an export.
package struct VerificationFailure: Error, JSONConvertible, Sendable {
    /// The file inside the bag; nil where the bag as a whole is meant.
    package var file: String?
    /// The line of the file, from 1; nil where no line is meant.
    package var line: Int64?
    /// The item, from 1; nil where no item is meant.
    package var item: Int64?
    package var message: String
    /// Whether it is no export of this program at all.
    package var isForeign = false

    init(_ message: String, file: String? = nil, line: Int64? = nil) {
        self.message = message
        self.file = file
        self.line = line
    }

    static func missing(_ file: String) -> VerificationFailure {
        VerificationFailure("the file is missing or is not a regular file", file: file)
    }

    /// What is no export of this program at all.
    static func foreign(_ message: String) -> VerificationFailure {
        var failure = VerificationFailure(message)
        failure.isForeign = true
        return failure
    }

    /// The line of `verify-export --json`.
    package var json: JSON {
        .line(
            "verify",
            [
                "valid": false,
                "failure": JSON.row(["file": file, "line": line, "item": item, "message": message]),
            ])
    }

    /// The verdict on the export at a path.
    package func document(path: String) -> Document {
        Document([.paragraph("\(path): \(isForeign ? "not an export of HealthProbe" : "not valid"): \(text).")])
    }

    /// Place and message in one sentence.
    package var text: String {
        var place: [String] = []
        if let file { place.append(file) }
        if let item { place.append("item \(item)") }
        if let line { place.append("line \(line)") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message
    }
}
