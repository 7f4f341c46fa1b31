internal import Foundation
internal import HealthModel
internal import SystemCalls
internal import TextFormats

/// Checks a written Health export against the manifest beside it, without any archive.
package enum FileVerification {
    /// What the name of a manifest ends with, behind that of its export.
    static let suffix = ".manifest.json"
    /// Every file of an export has a line in it.
    private static let maximumBytes = 256 << 20

    /// Whether a path is a single file (or its manifest) and no bag.
    package static func applies(to path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT != S_IFDIR } ?? false
    }

    /// Checks a manifest's own hashes, a signature, and length and SHA-256 of the file that the manifest names.
    ///
    /// - Parameters:
    ///   - path: the file, or its manifest.
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    /// - Throws: `VerificationFailure` with the first thing that is wrong; `inputOutput` where a file cannot be read.
    package static func run(_ path: String, signers: String?) throws -> VerificationReport {
        let manifest = path.hasSuffix(suffix) ? path : path + suffix
        let file = String(manifest.dropLast(suffix.count))
        guard FileManager.default.fileExists(atPath: manifest) else {
            throw VerificationFailure.foreign("there is no \((manifest as NSString).lastPathComponent) beside it")
        }
        let said = try read(manifest)
        let signature = try SignatureVerification.run(manifest, signers: signers)
        guard let kind = said["kind"]?.string, let facts = said["file"], let byteCount = facts["byteCount"]?.int,
            let sha256 = facts["sha256"]?.string, let count = said["itemCount"]?.int,
            let manifestHash = said["manifestHash"]?.string, let exportID = said["exportId"]?.string
        else { throw noManifest(manifest) }
        let fileName = (file as NSString).lastPathComponent
        let read = try WrittenFile(reading: LineReader(file, name: fileName))
        guard read.byteCount == byteCount else {
            throw VerificationFailure("has \(read.byteCount) bytes instead of \(byteCount)", file: fileName)
        }
        guard read.sha256.hex == sha256 else {
            throw VerificationFailure("its SHA-256 differs from the one in its manifest", file: fileName)
        }
        return VerificationReport(
            kind: kind, exportID: exportID, createdAt: said["observation"]?["observedAt"]?.string ?? "",
            recordCount: count, manifestHash: manifestHash,
            provenance: said["question"]?["provenance"]?.string ?? "full", identitiesRecomputed: 0,
            identitiesSkipped: 0, fileCount: 1, byteCount: byteCount,
            signature: signature)
    }

    /// A manifest whose hashes are right.
    private static func read(_ path: String) throws -> JSON {
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        let text = try BagLayout.text(name, in: folder.isEmpty ? "." : folder, limit: maximumBytes)
        guard let json = JSON.parse(text.hasSuffix("\n") ? String(text.dropLast()) : text),
            ManifestHash.isUnambiguous(json)
        else { throw noManifest(path) }
        guard ManifestHash.wholeHash(json.members) == json["manifestHash"]?.string else {
            throw VerificationFailure("its manifest hash does not match its content", file: name)
        }
        guard ManifestHash.contentHash(json.members) == json["contentHash"]?.string else {
            throw VerificationFailure("its content hash does not match its content", file: name)
        }
        return json
    }

    private static func noManifest(_ path: String) -> VerificationFailure {
        VerificationFailure("is not the manifest of a Health export", file: (path as NSString).lastPathComponent)
    }
}

/// Checks the signature beside a file that an export signs.
enum SignatureVerification {
    /// What is to be said of a signature: `none`, `unknownSigner`, or the name of the signer.
    ///
    /// - Parameters:
    ///   - path: the signed file.
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    /// - Throws: `VerificationFailure`.
    static func run(_ path: String, signers: String?) throws -> String {
        let name = (path as NSString).lastPathComponent
        let file = name + SSHSignature.suffix
        guard FileManager.default.fileExists(atPath: path + SSHSignature.suffix) else {
            if signers != nil { throw VerificationFailure("is missing, and a signature was asked for", file: file) }
            return "none"
        }
        switch try SSHSignature.verify(path, signers: signers) {
        case .trusted(let name): return name
        case .unknownSigner: return "unknownSigner"
        case .invalid:
            throw VerificationFailure(
                signers == nil ? "is not a signature of \(name)" : "is not a signature by an allowed signer",
                file: file)
        }
    }
}
