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

    let folder: String
    /// The payload as `manifest-sha256.txt` lists it.
    let payload: [Entry]
    private static let maximumTagFile = 16 << 20
    private static let maximumEntries = 100_000

    /// Checks the declaration, both manifests, the tag files and which files there are.
    ///
    /// - Throws: `VerificationFailure`; `inputOutput` where a file or folder cannot be read.
    init(_ folder: String) throws {
        self.folder = folder
        guard let info = linkStatus(folder), (info.st_mode & S_IFMT) == S_IFDIR else {
            throw VerificationFailure.foreign("the path is not a folder with bagit.txt")
        }
        guard access("\(folder)/bagit.txt", F_OK) == 0 || access("\(folder)/\(Bag.manifest)", F_OK) == 0 else {
            throw VerificationFailure.foreign("the folder has no bagit.txt")
        }
        guard try Self.text("bagit.txt", in: folder) == Bag.declaration else {
            throw VerificationFailure("does not declare a BagIt bag of version 1.0", file: "bagit.txt")
        }
        let tags = try Self.entries(Bag.tagManifest, in: folder)
        for name in ["bagit.txt", "bag-info.txt", Bag.manifest] where !tags.contains(where: { $0.path == name }) {
            throw VerificationFailure("does not list \(name)", file: Bag.tagManifest)
        }
        for tag in tags {
            let text = try Self.text(tag.path, in: folder)
            guard Digest256(hashing: text) == tag.sha256 else {
                throw VerificationFailure("its SHA-256 differs from the one in \(Bag.tagManifest)", file: tag.path)
            }
        }
        payload = try Self.entries(Bag.manifest, in: folder)
        if let outside = payload.first(where: { !$0.path.hasPrefix("data/") }) {
            throw VerificationFailure(
                "lists a path outside data", file: Bag.manifest, line: Self.line(outside, payload))
        }
        let known = Set(
            tags.map(\.path) + payload.map(\.path) + [Bag.tagManifest, Bag.tagManifest + SSHSignature.suffix])
        try Self.walk(folder, "", depth: 0) { path in
            if !known.contains(path) { throw VerificationFailure("is in no manifest", file: path) }
        }
    }

    /// Compares the octets and files counted with `Payload-Oxum`.
    func requireOxum(bytes: Int64) throws {
        let text = try Self.text("bag-info.txt", in: folder)
        let oxum = text.split(separator: "\n").first { $0.hasPrefix("Payload-Oxum: ") }.map { $0.dropFirst(14) }
        guard let oxum, oxum == "\(bytes).\(payload.count)" else {
            throw VerificationFailure("Payload-Oxum differs from what was counted", file: "bag-info.txt")
        }
    }

    private static func line(_ entry: Entry, _ entries: [Entry]) -> Int64? {
        entries.firstIndex { $0.path == entry.path }.map { Int64($0) + 1 }
    }

    private static func entries(_ name: String, in folder: String) throws -> [Entry] {
        let lines = try text(name, in: folder).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.count <= maximumEntries else { throw VerificationFailure("has too many lines", file: name) }
        var seen: Set<String> = []
        return try lines.enumerated().map { index, line in
            func refusal(_ message: String) -> VerificationFailure {
                VerificationFailure(message, file: name, line: Int64(index) + 1)
            }
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count == 64, let hash = Digest256(hex: String(parts[0])),
                hash.hex == parts[0]
            else {
                throw refusal("is not a line of a manifest")
            }
            var path = parts[1].drop { $0 == " " || $0 == "*" }
            if path.hasPrefix("./") { path = path.dropFirst(2) }
            guard let decoded = decoded(String(path)), isSafe(decoded) else {
                throw refusal("names a path outside the bag")
            }
            guard seen.insert(decoded).inserted else { throw refusal("names a file twice") }
            return Entry(sha256: hash, path: decoded)
        }
    }

    /// RFC 8493 encodes CR, LF and % alone.
    private static func decoded(_ path: String) -> String? {
        path.replacingOccurrences(of: "%0A", with: "\n").replacingOccurrences(of: "%0D", with: "\r")
            .replacingOccurrences(of: "%25", with: "%")
    }

    private static func isSafe(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// A small text file of the bag.
    static func text(_ name: String, in folder: String, limit: Int = maximumTagFile) throws -> String {
        let path = "\(folder)/\(name)"
        guard let info = linkStatus(path), (info.st_mode & S_IFMT) == S_IFREG else {
            throw VerificationFailure("the file is missing or is not a regular file", file: name)
        }
        guard info.st_size <= limit else {
            throw VerificationFailure("is too large", file: name)
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let reason = (error as? CocoaError)?.underlying as? POSIXError
            throw FileFailure.reading(reason?.code.rawValue ?? EIO)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw VerificationFailure("is not UTF-8", file: name)
        }
        return text
    }

    /// What is in a folder.
    private static func names(_ path: String, _ name: String) throws -> [String] {
        guard let found = SystemCalls.names(inFolder: path, limit: maximumEntries + 1) else {
            throw FileFailure.reading(errno)
        }
        guard found.count <= maximumEntries else { throw VerificationFailure("has too many files", file: name) }
        return try found.map { bytes in
            guard let entryName = String(validating: bytes, as: UTF8.self) else {
                throw VerificationFailure("holds a name that is not UTF-8", file: name)
            }
            return entryName
        }
    }

    private static func walk(_ folder: String, _ prefix: String, depth: Int, _ found: (String) throws -> Void) throws {
        guard depth < 32 else { throw VerificationFailure("folders are nested too deeply", file: prefix) }
        let names = try names("\(folder)/\(prefix)", prefix)
        for name in names.sorted() {
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            guard let info = linkStatus("\(folder)/\(path)") else { throw FileFailure.reading(errno) }
            switch info.st_mode & S_IFMT {
            case S_IFDIR: try walk(folder, path, depth: depth + 1, found)
            case S_IFREG: try found(path)
            default: throw VerificationFailure("is neither a file nor a folder", file: path)
            }
        }
    }
}

/// What `bag-info.txt` says of an export, compared with the envelope.
enum BagInfo {
    private static let file = "bag-info.txt"

    /// Tests that day and identifier are the envelope's, and that nothing which is compared is there twice.
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
