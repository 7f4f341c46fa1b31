internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel

/// Checks a written Health export against its manifest, without any archive.
enum FileVerification {
    /// What the name of a manifest ends with, behind that of its export.
    static let suffix = ".manifest.json"
    /// Every file of an export has a line in it.
    private static let maximumBytes = 256 << 20

    /// Checks a manifest's own hashes, a signature, and length and SHA-256 of the file that the manifest names.
    ///
    /// - Parameters:
    ///   - path: the file, or the manifest beside it.
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    ///   - isCancelled: asked at each buffer; true ends the check.
    /// - Throws: `VerificationFailure` with the first thing that is wrong; `inputOutput` where a file cannot be read.
    static func run(
        _ path: String, signers: String?, isCancelled: @escaping () -> Bool
    ) throws -> VerificationReport {
        let manifestPath = path.hasSuffix(suffix) ? path : path + suffix
        let (folder, name) = (
            (manifestPath as NSString).deletingLastPathComponent, (manifestPath as NSString).lastPathComponent
        )
        let files = FolderFiles(folder.isEmpty ? "." : folder)
        guard FileManager.default.fileExists(atPath: manifestPath) else {
            throw VerificationFailure.foreign("there is no \(name) beside it")
        }
        let text = try files.text(name, limit: maximumBytes)
        let manifest = try manifest(text, name)
        let signature = try SignatureVerification.run(
            files, name, text, signers: signers, isCancelled: isCancelled)
        guard let file = manifest["file"] else { throw noManifest(name) }
        let byteCount = try require(file, String(name.dropLast(suffix.count)), in: files, name, isCancelled)
        return try report(manifest, name, fileCount: 1, byteCount: byteCount, signature: signature)
    }

    /// Checks the manifest in a zip: its own hashes, a signature, and length and SHA-256 of every file.
    ///
    /// - Throws: as above.
    static func run(
        _ zip: WholeZip, signers: String?, isCancelled: @escaping () -> Bool
    ) throws -> VerificationReport {
        let name = HealthExport.manifestName
        let files = ZippedFiles(zip)
        let text = try files.text(name, limit: maximumBytes)
        let manifest = try manifest(text, name)
        let signature = try SignatureVerification.run(
            files, name, text, signers: signers, isCancelled: isCancelled)
        var unlisted = Set(zip.names).subtracting([name, name + SSHSignature.suffix])
        let members = manifest["members"]?.elements ?? []
        let byteCount = try members.reduce(Int64(0)) { total, member in
            let path = "\(HealthExport.folder)/\(member["path"]?.string ?? "")"
            unlisted.remove(path)
            return total + (try require(member, path, in: files, name, isCancelled))
        }
        guard !members.isEmpty else { throw noManifest(name) }
        if let path = unlisted.min() { throw VerificationFailure("is not in the manifest", file: path) }
        return try report(manifest, name, fileCount: members.count, byteCount: byteCount, signature: signature)
    }

    /// Compares a file with what a manifest states of it, and returns its length.
    private static func require(
        _ stated: JSON, _ path: String, in files: any ExportFiles, _ manifest: String,
        _ isCancelled: @escaping () -> Bool
    ) throws -> Int64 {
        guard let byteCount = stated["byteCount"]?.int, let sha256 = stated["sha256"]?.string else {
            throw noManifest(manifest)
        }
        let read = try LineReader(files.open(path), isCancelled: isCancelled).finish()
        guard read.byteCount == byteCount else {
            throw VerificationFailure("has \(read.byteCount) bytes instead of \(byteCount)", file: path)
        }
        guard read.sha256.hex == sha256 else {
            throw VerificationFailure("its SHA-256 differs from the one in its manifest", file: path)
        }
        return byteCount
    }

    private static func report(
        _ manifest: JSON, _ name: String, fileCount: Int, byteCount: Int64, signature: SSHSignature.Verdict?
    ) throws -> VerificationReport {
        guard let kind = manifest["kind"]?.string, let count = manifest["itemCount"]?.int,
            let hash = manifest["manifestHash"]?.string, let exportID = manifest["exportId"]?.string,
            let provenance = manifest["question"]?["provenance"]?.string.flatMap(Provenance.init(rawValue:))
        else { throw noManifest(name) }
        return VerificationReport(
            kind: kind, exportID: exportID, createdAt: manifest["observation"]?["observedAt"]?.string ?? "",
            recordCount: count, manifestHash: hash, provenance: provenance, identitiesRecomputed: 0,
            identitiesSkipped: 0, fileCount: fileCount, byteCount: byteCount, signature: signature)
    }

    /// A manifest whose hashes are right, and whose bytes are those that an export writes.
    private static func manifest(_ text: String, _ name: String) throws -> JSON {
        guard let json = JSON.parse(String(text.dropLast())), ManifestHash.isUnambiguous(json), json.hasOnlyIntegers,
            (json.line + "\n").hasBytes(of: text)
        else { throw noManifest(name) }
        guard ManifestHash.wholeHash(json) == json[ManifestHash.whole]?.string else {
            throw VerificationFailure("its manifest hash does not match its content", file: name)
        }
        guard ManifestHash.contentHash(json) == json[ManifestHash.content]?.string else {
            throw VerificationFailure("its content hash does not match its content", file: name)
        }
        return json
    }

    private static func noManifest(_ name: String) -> VerificationFailure {
        VerificationFailure("is not the manifest of a Health export", file: name)
    }
}

/// Checks the signature beside a file that an export signs.
enum SignatureVerification {
    /// What is known of who signed a file; nil where nobody did.
    ///
    /// - Parameters:
    ///   - name: the signed file.
    ///   - text: what is in it.
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    /// - Throws: `VerificationFailure`.
    static func run(
        _ files: any ExportFiles, _ name: String, _ text: String, signers: String?, isCancelled: () -> Bool
    ) throws -> SSHSignature.Verdict? {
        let file = name + SSHSignature.suffix
        guard files.has(file) else {
            if signers != nil { throw VerificationFailure("is missing, and a signature was asked for", file: file) }
            return nil
        }
        let signature = try files.text(file, limit: SSHSignature.maximumBytes)
        if let verdict = try SSHSignature.verify(
            text, signature: signature, signers: signers, isCancelled: isCancelled)
        {
            return verdict
        }
        throw VerificationFailure(
            signers == nil ? "is not a signature of \(name)" : "is not a signature by an allowed signer", file: file)
    }
}
