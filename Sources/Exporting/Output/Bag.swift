internal import HealthModel

/// Writes the tag files of a BagIt bag (RFC 8493) around the payload that lies in a folder's `data`.
enum Bag {
    /// What `bag-info.txt` says: nothing that differs from one run to the next.
    struct Info {
        var identifier: String
        /// `2024-05-01`.
        var date: String
        var program: String
    }

    static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    static let tagManifest = "tagmanifest-sha256.txt"
    static let manifest = "manifest-sha256.txt"

    /// Writes the tag files; `bagit.txt`, which makes a folder a bag, comes last.
    static func finish(_ folder: String, _ payload: [WrittenMember], _ info: Info) throws {
        let sorted = payload.sorted { $0.path < $1.path }
        let manifestText = sorted.map { "\($0.file.sha256.hex)  \($0.path)\n" }.joined()
        let bytes = sorted.reduce(0) { $0 + $1.file.byteCount }
        let infoText = """
            Bag-Software-Agent: \(info.program)
            Bagging-Date: \(info.date)
            External-Identifier: \(info.identifier)
            Payload-Oxum: \(bytes).\(sorted.count)

            """
        let tags = [("bag-info.txt", infoText), ("bagit.txt", declaration), (manifest, manifestText)]
        let tagText = tags.map { "\(Digest256(hashing: $0.1).hex)  \($0.0)\n" }.joined()
        for (name, text) in [tags[0], tags[2], (tagManifest, tagText), tags[1]] {
            try HashedFile.write(text, to: "\(folder)/\(name)")
        }
    }
}
