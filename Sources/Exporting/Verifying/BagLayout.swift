internal import Foundation
internal import HealthModel
internal import SystemCalls

/// The tag files of a bag, read with distrust: sizes are bounded, paths stay inside, nothing is listed twice.
struct BagLayout {
    /// A line of a manifest.
    struct Entry {
        var sha256: Digest256
        var path: String
    }

    let files: any ExportFiles
    /// The payload as `manifest-sha256.txt` lists it.
    let payload: [Entry]
    private static let maximumEntries = 100_000

    /// Checks the declaration, both manifests, the tag files and which files there are.
    ///
    /// - Throws: `VerificationFailure`; `inputOutput` where a file or folder cannot be read.
    init(_ files: any ExportFiles) throws {
        self.files = files
        guard try files.text("bagit.txt") == Bag.declaration else {
            throw VerificationFailure("does not declare a BagIt bag of version 1.0", file: "bagit.txt")
        }
        let tags = try Self.entries(Bag.tagManifest, in: files)
        for name in ["bagit.txt", "bag-info.txt", Bag.manifest] where !tags.contains(where: { $0.path == name }) {
            throw VerificationFailure("does not list \(name)", file: Bag.tagManifest)
        }
        for tag in tags {
            guard Digest256(hashing: try files.text(tag.path)) == tag.sha256 else {
                throw VerificationFailure("its SHA-256 differs from the one in \(Bag.tagManifest)", file: tag.path)
            }
        }
        payload = try Self.entries(Bag.manifest, in: files)
        if let index = payload.firstIndex(where: { !$0.path.hasPrefix("data/") }) {
            throw VerificationFailure("lists a path outside data", file: Bag.manifest, line: Int64(index) + 1)
        }
        let known = Set(
            tags.map(\.path) + payload.map(\.path) + [Bag.tagManifest, Bag.tagManifest + SSHSignature.suffix])
        if let unknown = try files.paths().first(where: { !known.contains($0) }) {
            throw VerificationFailure("is in no manifest", file: unknown)
        }
    }

    /// Compares the octets and files counted with `Payload-Oxum`.
    func requireOxum(bytes: Int64) throws {
        let text = try files.text("bag-info.txt")
        let oxum = text.split(separator: "\n").first { $0.hasPrefix("Payload-Oxum: ") }.map { $0.dropFirst(14) }
        guard let oxum, oxum == "\(bytes).\(payload.count)" else {
            throw VerificationFailure("Payload-Oxum differs from what was counted", file: "bag-info.txt")
        }
    }

    private static func entries(_ name: String, in files: any ExportFiles) throws -> [Entry] {
        let lines = try files.text(name).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.count <= maximumEntries else { throw VerificationFailure("has too many lines", file: name) }
        var seen: Set<String> = []
        return try lines.enumerated().map { index, line in
            func refusal(_ message: String) -> VerificationFailure {
                VerificationFailure(message, file: name, line: Int64(index) + 1)
            }
            // As an export writes it: other programs write bags with one space, an asterisk or ./ before the path.
            let parts = line.split(separator: "  ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count == 64, let hash = Digest256(hex: String(parts[0])),
                hash.hex == parts[0]
            else {
                throw refusal("is not a line of a manifest")
            }
            let path = String(parts[1])
            guard isSafe(path) else { throw refusal("names a path outside the bag, or not in its shortest form") }
            guard seen.insert(path).inserted else { throw refusal("names a file twice") }
            return Entry(sha256: hash, path: path)
        }
    }

    private static func isSafe(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}

/// What `bag-info.txt` says of an export, compared with the envelope.
enum BagInfo {
    private static let file = "bag-info.txt"

    /// Tests that day and identifier are the envelope's, and that nothing which is compared is there twice.
    ///
    /// - Throws: `VerificationFailure`.
    static func require(_ files: any ExportFiles, _ envelope: EnvelopeReader) throws {
        let lines = try files.text(file).split(separator: "\n")
        /// The last words of the values of a label, whose letters may be of either case.
        func values(_ label: String) -> [Substring] {
            lines.filter { $0.lowercased().hasPrefix(label.lowercased() + ":") }
                .map { $0.dropFirst(label.count + 1).split { " /".contains($0) }.last ?? "" }
        }
        guard values("Bagging-Date") == [envelope.createdAt.prefix { $0 != "T" }] else {
            throw VerificationFailure("Bagging-Date differs from the envelope's day", file: file)
        }
        guard values("External-Identifier") == [envelope.exportID[...]] else {
            throw VerificationFailure("External-Identifier differs from the envelope's", file: file)
        }
        guard values("Payload-Oxum").count == 1 else {
            throw VerificationFailure("Payload-Oxum appears twice", file: file)
        }
    }
}
