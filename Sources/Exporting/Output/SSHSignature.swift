internal import Foundation
internal import HealthModel
internal import SystemCalls

/// Signatures by SSH keys through `ssh-keygen`, so that nobody needs this program to make or check one.
package enum SSHSignature {
    /// What a signature is for; a signature for another purpose is none for this.
    static let namespace = "healthprobe-export"
    static let suffix = ".sig"

    /// What is known of who made a right signature.
    package enum Verdict: Equatable, Sendable {
        /// Made by a key that the file of allowed signers names.
        case trusted(String)
        /// Right for the file, made by the key of this fingerprint; whose that is was not asked.
        case unknownSigner
    }

    /// The signature of a text.
    ///
    /// - Throws: `usage` where the key cannot sign, `inputOutput` where ssh-keygen is missing.
    static func sign(_ text: String, key: String) throws -> String {
        let answer = try run(["-Y", "sign", "-f", key, "-n", namespace], input: text)
        guard answer.status == 0, !answer.output.isEmpty else {
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
    ///   - signature: the path of the signature.
    ///   - signers: an `allowed_signers` file of ssh-keygen; nil to ask only whether the signature is right.
    /// - Returns: nil where it is not right.
    /// - Throws: `inputOutput` where ssh-keygen is missing: that says nothing of the signature.
    static func verify(_ text: String, signature: String, signers: String?) throws -> Verdict? {
        guard let signers else {
            let answer = try run(["-Y", "check-novalidate", "-n", namespace, "-s", signature], input: text)
            return answer.status == 0 ? .unknownSigner : nil
        }
        let found = try run(["-Y", "find-principals", "-s", signature, "-f", signers], input: nil)
        guard found.status == 0, let name = found.output.split(separator: "\n").first.map(String.init) else {
            return nil
        }
        let answer = try run(
            ["-Y", "verify", "-f", signers, "-I", name, "-n", namespace, "-s", signature], input: text)
        return answer.status == 0 ? .trusted(name) : nil
    }

    /// What `env` says of a program that it cannot run (126) or find (127); ssh-keygen itself says 255.
    private static let isMissing: ClosedRange<Int32> = 126...127

    private static func run(_ arguments: [String], input: String?) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ssh-keygen"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let entry = Pipe()
        if input != nil { process.standardInput = entry }
        let missing = HealthProbeError(
            .inputOutput, "ssh-keygen, which makes and checks signatures, is missing or cannot be started.",
            hint: "Install OpenSSH's client and run the same command again.")
        do { try process.run() } catch { throw missing }
        if let input { feed(input, to: entry.fileHandleForWriting) }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if isMissing.contains(process.terminationStatus) { throw missing }
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Writes a text on a thread of its own; a reader that has gone is no error, and sends no signal.
    private static func feed(_ text: String, to pipe: FileHandle) {
        Thread.detachNewThread {
            block(SIGPIPE)
            try? pipe.write(contentsOf: Data(text.utf8))
            try? pipe.close()
        }
    }
}
