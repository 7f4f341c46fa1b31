internal import Foundation
internal import HealthModel

/// Signatures by SSH keys through `ssh-keygen`, so that nobody needs this program to make or check one.
enum SSHSignature {
    /// What a signature is for; a signature for another purpose is none for this.
    static let namespace = "healthprobe-export"
    static let suffix = ".sig"

    /// What checking a signature found.
    enum Verdict: Equatable {
        /// Made by a key that the file of allowed signers names.
        case trusted(String)
        /// Right for the file, made by the key of this fingerprint; whose that is was not asked.
        case unknownSigner
        case invalid
    }

    /// Signs a file; the signature is beside it.
    /// - Throws: `usage` where the key cannot sign, `inputOutput` where ssh-keygen is missing.
    static func sign(_ path: String, key: String) throws {
        let answer = try run(["-Y", "sign", "-f", key, "-n", namespace, path], input: nil)
        guard answer.status == 0, FileManager.default.fileExists(atPath: path + suffix) else {
            throw HealthProbeError(
                .usage, "ssh-keygen could not sign with this key.",
                hint: "Name a private SSH key (ssh-keygen -t ed25519 makes one) that you may read.")
        }
    }

    /// Checks a signature.
    /// - Parameter signers: an `allowed_signers` file of ssh-keygen; nil to ask only whether the signature is right.
    /// - Throws: `inputOutput` where ssh-keygen is missing: that says nothing of the signature.
    static func verify(_ path: String, signers: String?) throws -> Verdict {
        guard let signers else {
            let answer = try run(
                ["-Y", "check-novalidate", "-n", namespace, "-s", path + suffix], input: path)
            return answer.status == 0 ? .unknownSigner : .invalid
        }
        let found = try run(["-Y", "find-principals", "-s", path + suffix, "-f", signers], input: nil)
        guard found.status == 0, let name = found.output.split(separator: "\n").first.map(String.init) else {
            return .invalid
        }
        let answer = try run(
            ["-Y", "verify", "-f", signers, "-I", name, "-n", namespace, "-s", path + suffix], input: path)
        return answer.status == 0 ? .trusted(name) : .invalid
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
        if let input {
            guard let handle = FileHandle(forReadingAtPath: input) else { throw FileFailure.reading(ENOENT) }
            process.standardInput = handle
        }
        let missing = HealthProbeError(
            .inputOutput, "ssh-keygen, which makes and checks signatures, is missing or cannot be started.",
            hint: "Install OpenSSH's client and run the same command again.")
        do { try process.run() } catch { throw missing }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if isMissing.contains(process.terminationStatus) { throw missing }
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
