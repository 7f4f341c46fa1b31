internal import Exporting
internal import Foundation
internal import HealthModel
internal import TestSupport

/// A bag that a test wrote, and may spoil.
struct TestBag {
    let folder: String
    let result: BagExport.Outcome

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    /// The items' file.
    var itemsFile: String {
        ExportFormat.allCases.map { "data/\($0.fileName)" }
            .first { FileManager.default.fileExists(atPath: "\(folder)/\($0)") } ?? ""
    }

    /// The items of a JSON or NDJSON export.
    func items() throws -> [[String: Any]] {
        let data = Data(try text(itemsFile).utf8)
        if itemsFile.hasSuffix("ndjson") {
            return try data.split(separator: 0x0A).map { try Self.object(Data($0)) }
        }
        return try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    }

    /// The side files in the bag.
    func files() throws -> [String] {
        guard FileManager.default.fileExists(atPath: "\(folder)/data/files") else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data/files").sorted()
            .map { "data/files/\($0)" }
    }

    func envelope() throws -> [String: Any] { try Self.object(Data(try text("data/envelope.json").utf8)) }

    /// The failure of a verification; nil where the bag is valid.
    func failure() throws -> VerificationFailure? {
        do {
            _ = try ExportVerification.run(folder, signers: nil)
            return nil
        } catch let failure as VerificationFailure {
            return failure
        }
    }

    /// Writes both manifests anew, as somebody would who wants a change to go unnoticed.
    func renewChecksums() throws {
        var lines: [String] = []
        let payload = try ["data/envelope.json", itemsFile] + files()
        for name in payload.sorted() {
            lines.append("\(Digest256(hashing: try text(name)).hex)  \(name)\n")
        }
        try write(lines.joined(), to: "manifest-sha256.txt")
        let bytes = try payload.reduce(0) { $0 + (try text($1)).utf8.count }
        let info = try text("bag-info.txt").split(separator: "\n").filter { !$0.hasPrefix("Payload-Oxum") }
        try write(info.joined(separator: "\n") + "\nPayload-Oxum: \(bytes).\(payload.count)\n", to: "bag-info.txt")
        try renewTags()
    }

    /// Writes the hashes of all items anew, and that of their list.
    func renewItemHashes() throws {
        let lines = try text(itemsFile).split(separator: "\n").map(String.init).map { line -> String in
            let hash = Digest256(hashing: line.replacing(/"item_hash":"[0-9a-f]{64}",/, with: "")).hex
            return line.replacing(/"item_hash":"[0-9a-f]{64}"/, with: "\"item_hash\":\"\(hash)\"")
        }
        try write(lines.joined(separator: "\n") + "\n", to: itemsFile)
        try changeEnvelope([])
    }

    /// Writes the tag manifest anew.
    func renewTags() throws {
        let tags = try ["bag-info.txt", "bagit.txt", "manifest-sha256.txt"].map {
            "\(Digest256(hashing: try text($0)).hex)  \($0)\n"
        }
        try write(tags.joined(), to: "tagmanifest-sha256.txt")
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw TestSupport.Failure("no JSON object")
        }
        return object
    }
}
