/// What a sound export says of itself.
package struct VerificationReport: Sendable {
    package var kind: String
    package var exportID: String
    package var createdAt: String
    package var recordCount: Int64
    package var manifestHash: String
    package var provenance: String
    /// Items whose identity was recomputed from their members, and items in which those are not as the export file had
    /// them; both 0 where the items are no records.
    package var identitiesRecomputed: Int64
    package var identitiesSkipped: Int64
    /// Payload files and their bytes.
    package var fileCount: Int
    package var byteCount: Int64
    /// `none`, `unknownSigner`, or the name of the signer.
    package var signature: String
}

/// The first thing that is wrong with an export.
package struct VerificationFailure: Error, Sendable {
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

    /// Place and message in one sentence.
    package var text: String {
        var place: [String] = []
        if let file { place.append(file) }
        if let item { place.append("item \(item)") }
        if let line { place.append("line \(line)") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message
    }
}
