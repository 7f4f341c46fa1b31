internal import HealthModel

/// What `bag-info.txt` says of an export, held against the envelope.
enum BagInfo {
    private static let file = "bag-info.txt"

    /// Tests that day and identifier are the envelope's, and that nothing which is compared stands there twice.
    ///
    /// - Throws: `VerificationFailure`.
    static func require(_ folder: String, _ envelope: EnvelopeReader) throws {
        let lines = try BagLayout.text(file, in: folder).split(separator: "\n")
        /// The last words of the values of a label, whose letters may be of either case.
        func values(_ label: String) -> [Substring] {
            lines.filter { $0.lowercased().hasPrefix(label.lowercased() + ":") }
                .map { $0.dropFirst(label.count + 1).split { " /".contains($0) }.last ?? "" }
        }
        guard values("Bagging-Date") == [envelope.createdAt.prefix { $0 != "T" }] else {
            throw VerificationFailure("Bagging-Date is not the day of the envelope", file: file)
        }
        guard values("External-Identifier") == [envelope.exportID[...]] else {
            throw VerificationFailure("External-Identifier is not that of the envelope", file: file)
        }
        guard values("Payload-Oxum").count == 1 else {
            throw VerificationFailure("Payload-Oxum stands there twice", file: file)
        }
    }
}
