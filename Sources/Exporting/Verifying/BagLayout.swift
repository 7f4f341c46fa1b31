internal import Basics
internal import Foundation
internal import HealthModel

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
        // What is in data belongs in the payload's manifest.
        let outside = tags.map(\.path).filter { !$0.utf8.starts(with: "data/".utf8) }
        let known = Set(outside + payload.map(\.path) + [Bag.tagManifest, Bag.tagManifest + SSHSignature.suffix])
        if let unknown = try files.paths().first(where: { !known.contains($0) }) {
            throw VerificationFailure("is in no manifest", file: unknown)
        }
    }

    /// Tests that `bag-info.txt` is what an export writes of the envelope and of the payload.
    ///
    /// - Parameter bytes: the length of the payload as it was counted.
    /// - Throws: `VerificationFailure`.
    func requireInfo(_ envelope: EnvelopeReader, bytes: Int64) throws {
        let file = "bag-info.txt"
        let text = try files.text(file)
        // The archive's UUID is nowhere else.
        let archive = text.firstRange(of: "External-Identifier: ").map { text[$0.upperBound...].prefix(36) } ?? ""
        guard let uuid = UUID(uuidString: String(archive)), uuid.uuidString.lowercased() == archive else {
            throw VerificationFailure("External-Identifier names no archive", file: file)
        }
        let expected = """
            Bag-Software-Agent: \(envelope.program)
            Bagging-Date: \(envelope.createdAt.prefix { $0 != "T" })
            External-Identifier: \(archive)/\(envelope.exportID)
            Payload-Oxum: \(bytes).\(payload.count)

            """
        guard text.hasBytes(of: expected) else {
            let lines = text.split(separator: "\n")
            let other = expected.split(separator: "\n").first { !lines.contains($0) }
            let label = other.map { "\($0.prefix { $0 != ":" }) differs" } ?? "it differs"
            throw VerificationFailure("\(label) from what the envelope and the payload say", file: file)
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

    /// Whether a path stays in its folder and is in its shortest form. As bytes: a character may hold a slash and an
    /// accent.
    static func isSafe(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !path.utf8.contains(0)
            && parts.allSatisfy { !["", ".", ".."].contains(String(decoding: $0, as: UTF8.self)) }
    }
}
