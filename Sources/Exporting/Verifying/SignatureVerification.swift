internal import Foundation

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
                signers == nil ? "is no signature of \(name)" : "is no signature by one of the allowed signers",
                file: file)
        }
    }
}
