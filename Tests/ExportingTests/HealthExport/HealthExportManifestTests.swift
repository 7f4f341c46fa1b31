internal import ArchiveTestSupport
internal import Basics
internal import Exporting
internal import Foundation
internal import HealthModel
internal import Testing
internal import TestSupport

/// The manifest beside a Health export fits its schema, is protected as a whole, and may be signed.
@Suite struct HealthExportManifestTests {
    private func archive(isTruncated: Bool = false) throws -> TestArchive {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.phone, files: Samples.files, isTruncated: isTruncated)
        return archive
    }

    private func failure(_ path: String, signers: String? = nil) -> VerificationFailure? {
        Result { try ExportVerification.run(path, signers: signers) }.failure as? VerificationFailure
    }

    /// Also what a zip on standard output has inside, which names no written file.
    @Test func fitsItsSchemaWithoutAFile() throws {
        let manifest = try archive().preview { $0.isZip = true }.json.line
        let complaints = try JSONSchema("health-export").complaints(
            JSONSerialization.jsonObject(with: Data(manifest.utf8)))
        #expect(complaints.isEmpty, "\(complaints)")
    }

    @Test(arguments: [false, true], Provenance.allCases)
    func fitsItsSchema(_ isZip: Bool, _ provenance: Provenance) throws {
        let archive = try archive()
        let schema = try JSONSchema("health-export")
        for state in HealthState.allCases {
            let written = try archive.write("export-\(UUID().uuidString)", key: archive.key()) {
                $0.isZip = isZip
                $0.provenance = provenance
                $0.state = state
            }
            let manifest = try JSONSerialization.jsonObject(with: Data(written.manifestText().utf8))
            let complaints = schema.complaints(manifest)
            #expect(complaints.isEmpty, "\(complaints)")
            #expect(failure(written.path) == nil)
        }
    }

    /// What is in the file's place is told apart from a medium that fails, and nothing is waited for.
    @Test(.timeLimit(.minutes(1))) func onlyAnOrdinaryFileIsRead() throws {
        let archive = try archive()
        let written = try archive.write("export.xml", key: nil)
        let manager = FileManager.default
        try manager.moveItem(atPath: written.path, toPath: written.path + ".away")
        try manager.createDirectory(atPath: written.path, withIntermediateDirectories: false)
        #expect(failure(written.path + ".manifest.json")?.file == "export.xml")
        try manager.removeItem(atPath: written.path)
        #expect(mkfifo(written.path, 0o600) == 0)
        #expect(failure(written.path)?.file == "export.xml")
        try manager.removeItem(atPath: written.path)
        try manager.createSymbolicLink(atPath: written.path, withDestinationPath: written.path + ".away")
        #expect(failure(written.path)?.file == "export.xml")
        try manager.removeItem(atPath: written.path)
        #expect(failure(written.path)?.file == "export.xml")
    }

    /// A manifest that cannot be put in its place leaves the earlier export as it was.
    @Test func aNewFileNeverStandsBesideAnEarlierManifest() throws {
        let archive = try archive()
        let written = try archive.write("export.xml", key: nil)
        let before = try written.text()
        try archive.add(day: 3, Samples.phone + [Samples.everything[0]])
        let manifest = written.path + ".manifest.json"
        #expect(throws: HealthProbeError.self) {
            _ = try archive.write(
                "export.xml", key: nil, force: true,
                isCancelled: {
                    // Something else comes into the manifest's place while the export is made.
                    unlink(manifest)
                    #expect(mkdir(manifest, 0o700) == 0 || errno == EEXIST)
                    return false
                })
        }
        #expect(try written.text() == before)
    }

    @Test func noMemberCanBeChanged() throws {
        let archive = try archive()
        let written = try archive.write("export.zip", key: nil) { $0.isZip = true }
        let path = written.path + ".manifest.json"
        let text = try written.manifestText()
        let json = try #require(JSON.parse(String(text.dropLast())))
        var edits = 0
        for edited in Self.edits(json) where edited.canonicalText != json.canonicalText {
            edits += 1
            try (edited.line + "\n").write(toFile: path, atomically: false, encoding: .utf8)
            #expect(failure(written.path) != nil, "\(edited.line)")
        }
        #expect(edits > 60)
        for doubled in [text.replacing("{\"schema\"", with: "{\"itemCount\":1,\"schema\""), text + text, "{}\n", ""] {
            try doubled.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(failure(written.path)?.file == "export.zip.manifest.json")
        }
        // Whoever makes the whole hash anew has to make the other one anew too.
        let changed = JSON.object(
            json.members.filter { $0.0 != "manifestHash" }.map {
                ($0.0, $0.0 == "contentHash" ? .string(String(repeating: "0", count: 64)) : $0.1)
            })
        let hash = Digest256(hashing: changed.canonicalText).hex
        let spoilt = JSON.object(changed.members + [("manifestHash", .string(hash))])
        try (spoilt.line + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        #expect(failure(written.path)?.text.contains("content hash") == true)
    }

    /// The manifest with some members replaced, nil for none, and with both hashes made anew.
    private static func sealed(_ json: JSON, _ changes: [String: JSON?] = [:]) -> String {
        var plain: [(String, JSON)] = []
        for (name, value) in json.members where !["contentHash", "manifestHash"].contains(name) {
            let changed: JSON? = changes[name] ?? value
            if let changed { plain.append((name, changed)) }
        }
        let content = Digest256(hashing: JSON.object(plain.filter { $0.0 != "file" }).canonicalText).hex
        let hashed = plain + [("contentHash", .string(content))]
        let whole = Digest256(hashing: JSON.object(hashed).canonicalText).hex
        return JSON.object(hashed + [("manifestHash", .string(whole))]).line + "\n"
    }

    /// The script says the same of a manifest in any other form than the one that exports have.
    @Test(.enabled(if: PlainPython.path != nil, "python3 is not there"))
    func twoVerifiersAgreeOnItsForm() throws {
        let archive = try archive()
        // The manifest has the file's name, in which is all that is escaped.
        let written = try archive.write("export\u{202E}\n\"\\\u{E0041}.xml", key: nil)
        let path = written.path + ".manifest.json"
        let text = try written.manifestText()
        let json = try #require(JSON.parse(String(text.dropLast())))
        func expectVerdict(_ isValid: Bool, _ comment: Comment) throws {
            #expect((failure(written.path) == nil) == isValid, comment)
            let answer = PlainPython.verify(written.path)
            #expect(answer.status == (isValid ? 0 : 4), "\(comment): \(answer.text)")
        }
        func expect(_ isValid: Bool, manifest: String) throws {
            try manifest.write(toFile: path, atomically: false, encoding: .utf8)
            try expectVerdict(isValid, Comment(rawValue: manifest))
        }
        try expect(true, manifest: text)
        try expect(true, manifest: Self.sealed(json))
        let forms = [
            String(text.dropLast()), text + "\n", json.canonicalText + "\n",
            text.replacing("\"kind\"", with: "\"\\u006bind\""), text.replacing("{\"state\"", with: "{ \"state\""),
            text.replacing("\\u202e", with: "\\u202E"), text.replacing("\\u202e", with: "\u{202E}"),
        ]
        for form in forms { try expect(false, manifest: form) }
        let changes: [[String: JSON?]] = [
            ["exportId": nil], ["question": .object([("provenance", .string("all"))])], ["question": .object([])],
            ["itemCount": .string("1")], ["sideFiles": .canonical("10000000000000000000000000")],
            ["sideFiles": .canonical("100000000000000000000")], ["sideFiles": .double(0.5)],
        ]
        for change in changes { try expect(false, manifest: Self.sealed(json, change)) }
        try expect(true, manifest: text)
        let manager = FileManager.default
        try manager.moveItem(atPath: path, toPath: path + ".away")
        try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".away")
        try expectVerdict(false, "a linked manifest")
        withExtendedLifetime(archive) {}
    }

    /// The value with each of its parts changed in turn.
    private static func edits(_ json: JSON) -> [JSON] {
        switch json {
        case .null: [.int(1)]
        case .bool(let flag): [.bool(!flag)]
        case .int(let value): [.int(value + 1)]
        case .string(let text): [.string(text + "0")]
        case .array(let elements):
            [.array(elements + [.null]), .array(elements.dropLast())]
                + elements.indices.flatMap { index in
                    edits(elements[index]).map { edited in
                        .array(elements.enumerated().map { $0 == index ? edited : $1 })
                    }
                }
        case .object(let members):
            [.object(members + [("more", .null)])]
                + members.indices.flatMap { index in
                    [.object(members.enumerated().filter { $0.offset != index }.map(\.element))]
                        + edits(members[index].1).map { edited in
                            .object(members.enumerated().map { ($1.0, $0 == index ? edited : $1.1) })
                        }
                }
        default: []
        }
    }

    @Test func aPartialObservationIsTold() throws {
        let archive = try archive(isTruncated: true)
        let written = try archive.write("export.xml", key: nil)
        let bag = try archive.export(archive.question())
        let warning = try #require(bag.result.warnings.first { $0.code == "partialObservation" })
        #expect(written.manifest.warnings.contains(warning.message))
        #expect(try !self.archive().write("whole.xml", key: nil).manifest.warnings.contains(warning.message))
    }

    @Test(.enabled(if: SignatureTests.isPossible, "ssh-keygen is not there"))
    func aSignature() throws {
        let archive = try archive()
        let key = try SignatureTests.key("key", in: archive.folder)
        let (signers, strangers) = try (
            SignatureTests.signers(key), SignatureTests.signers(SignatureTests.key("other", in: archive.folder))
        )
        let written = try archive.write("signed.xml", key: nil, signingKey: key)
        #expect(try ExportVerification.run(written.path, signers: nil).signature == .unknownSigner)
        #expect(
            try ExportVerification.run(written.path, signers: signers).signature == .trusted("examiner@example.org"))
        #expect(failure(written.path, signers: strangers)?.file == "signed.xml.manifest.json.sig")
        // A manifest that was made anew for another file has another hash, and the signature is none of it.
        let other = try archive.write("other.xml", key: nil) { $0.fillsCreationDates = true }
        #expect(try ExportVerification.run(other.path, signers: nil).signature == nil)
        #expect(failure(other.path, signers: signers)?.text.contains("is missing") == true)
        let manager = FileManager.default
        try manager.copyItem(
            atPath: written.path + ".manifest.json.sig", toPath: other.path + ".manifest.json.sig")
        #expect(failure(other.path)?.file == "other.xml.manifest.json.sig")
        // Written again without a key, an earlier signature goes.
        #expect(throws: (any Error).self) { try archive.write("signed.xml", key: nil) }
        _ = try archive.write("signed.xml", key: nil, force: true)
        #expect(!manager.fileExists(atPath: written.path + ".manifest.json.sig"))
        #expect(try ExportVerification.run(written.path, signers: nil).signature == nil)
        let names = try manager.contentsOfDirectory(atPath: archive.folder)
        #expect(!names.contains { $0.contains("creating") })
        #expect(throws: (any Error).self) { try archive.write("third.xml", key: nil, signingKey: strangers) }
        #expect(try manager.contentsOfDirectory(atPath: archive.folder).sorted() == names.sorted())
    }
}
