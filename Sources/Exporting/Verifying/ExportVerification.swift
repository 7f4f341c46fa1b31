internal import Basics
internal import ExportReading
internal import Foundation

/// Checks an export in any of its forms: a bag in a folder or a zip, a Health export with a manifest beside it or in it.
package enum ExportVerification {
    /// Checks everything that the export's own manifests state.
    ///
    /// - Parameters:
    ///   - signers: an `allowed_signers` file of ssh-keygen; a signature by one of them is then required.
    ///   - isCancelled: asked at each buffer; true ends the check.
    ///   - progress: called with how many items are done of how many.
    /// - Throws: `VerificationFailure` with the first thing that is wrong; `inputOutput` where a file cannot be read;
    ///   `interrupted`.
    package static func run(
        _ path: String, signers: String?, isCancelled: @escaping () -> Bool = { false },
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> VerificationReport {
        let sort = status(path).map { $0.st_mode & S_IFMT }
        if sort == S_IFDIR {
            return try BagVerification.run(
                FolderFiles(bag: path), signers: signers, isCancelled: isCancelled, progress: progress)
        }
        let hasManifest = FileManager.default.fileExists(atPath: path + FileVerification.suffix)
        guard !hasManifest, sort == S_IFREG, try ExportContainer.isZip(path) else {
            return try FileVerification.run(path, signers: signers, isCancelled: isCancelled)
        }
        let zip = try ZippedFiles.open(path)
        if let bag = ZippedFiles(bagIn: zip) {
            return try BagVerification.run(bag, signers: signers, isCancelled: isCancelled, progress: progress)
        }
        guard zip.names.contains(HealthExport.manifestName) else {
            return try FileVerification.run(path, signers: signers, isCancelled: isCancelled)
        }
        return try FileVerification.run(zip, signers: signers, isCancelled: isCancelled)
    }
}
