internal import Foundation
internal import HealthModel

/// Checks a written Health export against the manifest beside it, without any archive.
package enum FileVerification {
    private static let suffix = ".manifest.json"

    /// Whether a path is a single file (or its manifest) and no bag.
    package static func applies(to path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Checks length and SHA-256 of the file that a manifest names, and the manifest's own hash.
    ///
    /// - Parameter path: the file, or its manifest.
    /// - Throws: `VerificationFailure` with the first thing that is wrong.
    package static func run(_ path: String) throws -> VerificationReport {
        let manifest = path.hasSuffix(suffix) ? path : path + suffix
        let file = String(manifest.dropLast(suffix.count))
        let name = (manifest as NSString).lastPathComponent
        guard let text = FileManager.default.contents(atPath: manifest) else {
            throw VerificationFailure("is missing", file: name)
        }
        guard let said = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any],
            let kind = said["kind"] as? String, let facts = said["file"] as? [String: Any],
            let byteCount = facts["byteCount"] as? Int64, let sha256 = facts["sha256"] as? String,
            let count = said["itemCount"] as? Int64, let manifestHash = said["manifestHash"] as? String,
            let exportID = said["exportId"] as? String, let members = said["members"] as? [[String: Any]]
        else { throw VerificationFailure("is no manifest of a Health export", file: name) }
        let fileName = (file as NSString).lastPathComponent
        guard FileManager.default.fileExists(atPath: file) else {
            throw VerificationFailure("is missing", file: fileName)
        }
        let read = try WrittenFile(hashing: file)
        guard read.byteCount == byteCount else {
            throw VerificationFailure("has \(read.byteCount) bytes instead of \(byteCount)", file: fileName)
        }
        guard read.sha256.hex == sha256 else {
            throw VerificationFailure("its SHA-256 is not the one in its manifest", file: fileName)
        }
        let files = members.map { member in
            CanonicalJSON.object([
                ("path", .string(member["path"] as? String ?? "")),
                ("byteCount", .integer(member["byteCount"] as? Int64 ?? -1)),
                ("sha256", .string(member["sha256"] as? String ?? "")),
            ])
        }
        guard WrittenMember.manifestHash(exportID: exportID, itemCount: count, files) == manifestHash else {
            throw VerificationFailure("its manifest hash is not that of its members", file: name)
        }
        let question = said["question"] as? [String: Any]
        let observation = said["observation"] as? [String: Any]
        return VerificationReport(
            kind: kind, exportID: exportID, createdAt: observation?["observedAt"] as? String ?? "", recordCount: count,
            manifestHash: manifestHash,
            provenance: question?["provenance"] as? String ?? "full", fileCount: 1, byteCount: byteCount,
            signature: "none")
    }
}
