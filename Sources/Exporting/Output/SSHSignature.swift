internal import Basics
internal import Foundation
internal import HealthModel

/// Signatures by SSH keys through `ssh-keygen`, so that nobody needs this program to make or check one.
package enum SSHSignature {
    /// What a signature is for; a signature for another purpose is none for this.
    static let namespace = "healthprobe-export"
    static let suffix = ".sig"
    /// What no signature reaches: ssh-keygen takes time with the square of a file's length.
    static let maximumBytes = 1 << 16

    /// What is known of who made a right signature.
    package enum Verdict: Equatable, Sendable {
        /// Made by a key that the file of allowed signers names.
        case trusted(String)
        /// Right for the file, made by the key of this fingerprint; whose that is was not asked.
        case unknownSigner
    }

    /// The signature of a text.
    ///
    /// - Throws: `usage` where the key cannot sign, `inputOutput` where ssh-keygen is missing, `interrupted`.
    static func sign(_ text: String, key: String, isCancelled: () -> Bool) throws -> String {
        // ssh-keygen would wait for who writes into a pipe.
        let isFile = status(key).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
        let answer = isFile ? try run(["-Y", "sign", "-f", key, "-n", namespace], input: text, isCancelled) : nil
        guard let answer, answer.status == 0, !answer.output.isEmpty else {
            throw HealthProbeError(
                .usage, "ssh-keygen could not sign with this key.",
                hint: "Name a private SSH key (ssh-keygen -t ed25519 makes one) that you may read.")
        }
        return answer.output
    }

    /// Checks a signature.
    ///
    /// - Parameters:
    ///   - text: what is signed.
    ///   - signature: the signature itself, of at most `maximumBytes`.
    ///   - signers: an `allowed_signers` file of ssh-keygen; nil to ask only whether the signature is right.
    /// - Returns: nil where it is not right.
    /// - Throws: `inputOutput` where ssh-keygen is missing: that says nothing of the signature; `interrupted`.
    static func verify(
        _ text: String, signature: String, signers: String?, isCancelled: () -> Bool
    ) throws -> Verdict? {
        let copy = "\(NSTemporaryDirectory())/healthprobe-\(UUID().uuidString)"
        try HashedFile.write(signature, to: copy)
        defer { unlink(copy) }
        guard let signers else {
            let answer = try run(["-Y", "check-novalidate", "-n", namespace, "-s", copy], input: text, isCancelled)
            return answer.status == 0 ? .unknownSigner : nil
        }
        let found = try run(["-Y", "find-principals", "-s", copy, "-f", signers], input: "", isCancelled)
        guard found.status == 0, let name = found.output.split(separator: "\n").first.map(String.init) else {
            return nil
        }
        let answer = try run(
            ["-Y", "verify", "-f", signers, "-I", name, "-n", namespace, "-s", copy], input: text, isCancelled)
        return answer.status == 0 ? .trusted(name) : nil
    }

    private static func run(
        _ arguments: [String], input: String, _ isCancelled: () -> Bool
    ) throws -> (status: Int32, output: String) {
        let (entry, output) = (Pipe(), Pipe())
        let child = startChild(
            ["ssh-keygen"] + arguments, input: entry.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor)
        let missing = HealthProbeError(
            .inputOutput, "ssh-keygen, which makes and checks signatures, is missing or cannot be started.",
            hint: "Install OpenSSH's client and run the same command again.")
        guard child > 0 else { throw missing }
        try? entry.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        feed(input, to: entry.fileHandleForWriting)
        let answer = ByteBuffer(capacity: 4096)
        let reading = output.fileHandleForReading.fileDescriptor
        while true {
            if isCancelled() || answer.count > maximumBytes {
                kill(child, SIGKILL)
                while exitStatus(of: child) == nil { usleep(1000) }
                throw isCancelled() ? FileFailure.interrupted : missing
            }
            guard waitUntilReadable(reading, milliseconds: 100) else { continue }
            if Basics.read(reading, into: answer, upTo: 4096) <= 0 { break }
        }
        while true {
            if let status = exitStatus(of: child) {
                if status == isMissing { throw missing }
                return (status, answer.view.string)
            }
            usleep(1000)
        }
    }

    /// What a program ends with that cannot be started; ssh-keygen itself says 255.
    private static let isMissing: Int32 = 127

    /// Writes a text on a thread of its own; a reader that has gone is no error, and sends no signal.
    private static func feed(_ text: String, to pipe: FileHandle) {
        Thread.detachNewThread {
            block(SIGPIPE)
            try? pipe.write(contentsOf: Data(text.utf8))
            try? pipe.close()
        }
    }
}
