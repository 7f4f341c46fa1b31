internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Store
internal import Testing
internal import TestSupport

/// Signatures by SSH keys are made and checked with ssh-keygen alone.
@Suite struct SignatureTests {
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")

    /// A new key in a folder.
    static func key(_ name: String, in folder: String) throws -> String {
        try keygen(["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", "\(folder)/\(name)"])
        return "\(folder)/\(name)"
    }

    /// A list of signers with one key.
    static func signers(_ key: String, name: String = "examiner@example.org") throws -> String {
        let list = key + ".signers"
        try "\(name) \(try String(contentsOfFile: key + ".pub", encoding: .utf8))"
            .write(toFile: list, atomically: false, encoding: .utf8)
        return list
    }

    private static func keygen(_ arguments: [String]) throws {
        try RunningChild.run("/usr/bin/ssh-keygen", arguments).expecting(0)
    }

    @Test(.enabled(if: isPossible, "ssh-keygen is not there"), arguments: ["none", "unknownSigner"])
    func aSignerWithTheNameOfAVerdict(_ name: String) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let key = try Self.key("key", in: archive.folder)
        let bag = try archive.export(archive.question()) { $0.signingKey = key }
        let signers = try Self.signers(key, name: name)
        #expect(try ExportVerification.run(bag.folder, signers: signers).signature == .trusted(name))
    }

    /// ssh-keygen takes time with the square of a signature's length, and waits for who writes into a pipe.
    @Test func signaturesThatAreNone() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let bag = try archive.export(archive.question())
        let place = "\(bag.folder)/tagmanifest-sha256.txt.sig"
        try bag.write(String(repeating: "x", count: 1 << 16 + 1), to: "tagmanifest-sha256.txt.sig")
        #expect(try bag.failure()?.text.contains("is too large") == true)
        try FileManager.default.removeItem(atPath: place)
        #expect(mkfifo(place, 0o600) == 0)
        #expect(try bag.failure()?.text.contains("neither a file nor a folder") == true)
    }

    @Test func aKeyThatIsAPipe() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let pipe = archive.freshPath("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: HealthProbeError.self) {
            try archive.export(archive.question()) { $0.signingKey = pipe }
        }
        #expect(error?.code == .usage)
        #expect(throws: HealthProbeError.self) { try ArchiveKey.read(pipe) }
    }

    @Test(.enabled(if: isPossible, "ssh-keygen is not there"))
    func signedBag() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let (key, other) = try (Self.key("key", in: archive.folder), Self.key("other", in: archive.folder))
        let bag = try archive.export(archive.question()) { $0.signingKey = key }
        #expect(try ExportVerification.run(bag.folder, signers: nil).signature == .unknownSigner)
        #expect(
            try ExportVerification.run(bag.folder, signers: try Self.signers(key)).signature
                == .trusted("examiner@example.org"))
        let stranger = try Self.signers(other)
        #expect(throws: VerificationFailure.self) { try ExportVerification.run(bag.folder, signers: stranger) }
        // A change whose checksums were made to fit is what the signature is for.
        try bag.replace(#""value":"10.50""#, #""value":"10.51""#)
        try bag.renewChecksums()
        #expect(try bag.failure()?.text.contains("item_hash") == true)
        let plain = try archive.export(archive.question())
        #expect(throws: VerificationFailure.self) {
            try ExportVerification.run(plain.folder, signers: stranger)
        }
        try FileManager.default.copyItem(
            atPath: "\(bag.folder)/tagmanifest-sha256.txt.sig", toPath: "\(plain.folder)/tagmanifest-sha256.txt.sig")
        #expect(try plain.failure() == nil, "the same export has the same tag manifest")
        // The same files in another order are valid, but were not signed.
        let tags = try plain.text("tagmanifest-sha256.txt").split(separator: "\n")
        try plain.write(tags.reversed().joined(separator: "\n") + "\n", to: "tagmanifest-sha256.txt")
        #expect(try plain.failure()?.file == "tagmanifest-sha256.txt.sig")
    }
}
