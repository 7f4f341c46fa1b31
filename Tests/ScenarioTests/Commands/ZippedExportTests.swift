import Foundation
import Testing
import TestSupport

/// `export … --output -` and `verify-export` of what it wrote, through the built program.
@Suite("Exports as a zip on standard output", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct ZippedExportTests {
    private static let unzip = program("unzip")
    private static let python = program("python3")

    private static func program(_ name: String) -> String? {
        let path = "/usr/bin/\(name)"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// A folder's files with their bytes, by path.
    private func files(_ folder: String) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var found: [String: Data] = [:]
        for path in paths {
            var isFolder: ObjCBool = false
            let place = "\(folder)/\(path)"
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            found[path] = FileManager.default.contents(atPath: place)
        }
        return found
    }

    private func unpacked(_ zip: String, _ sandbox: Sandbox) throws -> String {
        let program = try #require(Self.unzip)
        let folder = sandbox.path("unpacked-\(UUID().uuidString.prefix(8))")
        try RunningChild.run(program, ["-q", zip, "-d", folder]).expecting(0)
        return folder
    }

    /// What standard output had, as a file.
    private func file(_ answer: Answer, _ name: String, _ sandbox: Sandbox) throws -> String {
        try sandbox.write(Array(answer.output), to: name)
    }

    /// What the command says; the script in Python must agree.
    private func verdict(_ path: String, _ sandbox: Sandbox, _ code: Int32 = 0) throws -> [String: Any] {
        if let python = Self.python {
            let script = TestSupport.repository.appendingPathComponent("docs/verify_export.py").path
            try RunningChild.run(python, [script, path]).expecting(code)
        }
        return try sandbox.run("verify-export", path, "--json").expecting(code).object()
    }

    private func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test(
        "unpacked it is the folder, byte for byte, and has the same verdict",
        arguments: ["records", "types", "manifest", "diff", "selection"])
    func bags(kind: String) throws {
        let sandbox = try Inputs.imported()
        for format in ["json", "ndjson", "csv"] {
            let more = ["--format", format] + (kind == "selection" ? ["--change", "appeared,disappeared"] : [])
            let folder = sandbox.path("\(kind)-\(format)")
            let made = try sandbox.run(["export", kind, "-o", folder, "--json"] + more).expecting(0).object()
            let answer = try sandbox.run(["export", kind, "-o", "-", "--json", "--quiet"] + more).expecting(0)
            let streamed = try object(answer.errors)
            #expect(streamed["path"] as? String == "-" && streamed["recorded"] as? Bool == true)
            #expect(streamed["manifestHash"] as? String == made["manifestHash"] as? String)
            let zip = try file(answer, "\(kind)-\(format).zip", sandbox)
            let (ofFolder, ofZip) = (try verdict(folder, sandbox), try verdict(zip, sandbox))
            #expect(NSDictionary(dictionary: ofFolder) == NSDictionary(dictionary: ofZip))
            #expect(ofZip["valid"] as? Bool == true)
            // Python reads a zip behind other bytes too, also where those look like a zip's.
            for bytes in ["more", "PK\u{3}\u{4}"] {
                let longer = try sandbox.write(Array(bytes.utf8) + Array(answer.output), to: "longer.zip")
                _ = try verdict(longer, sandbox, 4)
            }
            let again = try sandbox.run(["export", kind, "-o", "-", "--quiet"] + more).expecting(0)
            #expect(again.output == answer.output && again.errors.isEmpty)
            guard Self.unzip != nil else { continue }
            let root = try unpacked(zip, sandbox)
            let names = try FileManager.default.contentsOfDirectory(atPath: root)
            #expect(names == [["diff", "selection"].contains(kind) ? "\(kind)-1-2" : "\(kind)-2"])
            #expect(try files("\(root)/\(names[0])") == files(folder))
        }
    }

    @Test("a Health export has its manifest inside, and the same files as the zip at a path")
    func healthExport() throws {
        let sandbox = try Inputs.imported()
        let path = sandbox.path("at-a-path.zip")
        let made = try sandbox.run("export", "xml", "--zip", "-o", path, "--json").expecting(0).object()
        let answer = try sandbox.run("export", "xml", "--zip", "-o", "-", "--json", "--quiet").expecting(0)
        let streamed = try object(answer.errors)
        #expect(streamed["contentHash"] as? String == made["contentHash"] as? String)
        let zip = try file(answer, "export.zip", sandbox)
        let verified = try verdict(zip, sandbox)
        #expect(verified["valid"] as? Bool == true)
        #expect(verified["manifestHash"] as? String == streamed["manifestHash"] as? String)
        try sandbox.run("inspect", zip).expecting(0)
        guard Self.unzip != nil else { return }
        var inside = try files(try unpacked(zip, sandbox))
        let text = inside.removeValue(forKey: "manifest.json")
        let manifest = try object(try #require(text))
        #expect(manifest["manifestHash"] as? String == streamed["manifestHash"] as? String)
        #expect(try inside == files(try unpacked(path, sandbox)))
    }

    @Test("what is no whole zip of an export is refused")
    func damage() throws {
        let sandbox = try Inputs.imported()
        for (kind, more) in [("records", []), ("xml", ["--zip"])] {
            let whole = try Array(sandbox.run(["export", kind, "-o", "-", "--quiet"] + more).expecting(0).output)
            for count in [10, whole.count / 2, whole.count - 22, whole.count - 1] {
                let cut = try sandbox.write(Array(whole[..<count]), to: "cut.zip")
                #expect(try verdict(cut, sandbox, 4)["valid"] as? Bool == false)
            }
            // A byte of the first member's data, beyond its local header of 30 bytes and a short name.
            var spoiled = whole
            spoiled[200] ^= 0x10
            let path = try sandbox.write(spoiled, to: "spoiled.zip")
            let failure = try verdict(path, sandbox, 4)["failure"] as? [String: Any]
            #expect(failure?["message"] as? String != nil)
        }
        let other = try sandbox.write(Array("PK\u{3}\u{4} and nothing more".utf8), to: "other.zip")
        #expect(try verdict(other, sandbox, 4)["valid"] as? Bool == false)
    }

    @Test("a bag that somebody zipped is valid, and one with anything else in the zip is not")
    func zippedByOthers() throws {
        let sandbox = try Inputs.imported()
        let folder = sandbox.path("bag")
        try sandbox.run("export", "records", "-o", folder).expecting(0)
        let bag = try files(folder).sorted { $0.key < $1.key }
        func members(_ prefix: String) -> [ZipWriter.Member] { bag.map { .init(prefix + $0.key, Array($0.value)) } }
        func write(_ members: [ZipWriter.Member]) throws -> String {
            try sandbox.write(ZipWriter.zip(members), to: "bag.zip")
        }
        for prefix in ["", "bag/"] {
            #expect(try verdict(try write(members(prefix)), sandbox)["valid"] as? Bool == true)
            // Programs that zip folders give each an entry of its own.
            let stored = members(prefix).map { $0.with { $0.isDeflated = false } }
            #expect(try verdict(try write([.init("bag/", "")] + stored), sandbox)["valid"] as? Bool == true)
        }
        let zeros = [UInt8](repeating: 0, count: 20 << 20)
        let whole = members("bag/")
        let refused: [(reason: String, members: [ZipWriter.Member])] = [
            ("outside", whole + [.init("other/file", "x")]),
            ("in no manifest", whole + [.init("bag/data/more", "x")]),
            ("twice", whole + [whole[0]]),
            ("missing", Array(whole.dropLast())),
            ("encrypted", whole.map { $0.with { $0.isEncrypted = true } }),
            (
                "unpacks to far more",
                whole + [ZipWriter.Member("bag/x", zeros).with { $0.packed = ZipWriter.packedZeros }]
            ),
            ("longer than the zip states", whole.map { $0.with { $0.sizeError = -1 } }),
            ("crcMismatch", whole.map { $0.with { $0.checksumError = 1 } }),
        ]
        for (reason, members) in refused {
            let failure = try verdict(try write(members), sandbox, 4)["failure"] as? [String: Any]
            let message = "\(failure?["message"] ?? "") \(failure?["file"] ?? "")"
            #expect(message.contains(reason), "\(message)")
        }
    }

    @Test("a reader that goes away ends the export, which is not recorded")
    func brokenPipe() throws {
        let sandbox = try Inputs.imported()
        let script = #""$0" "$@" | true; exit ${PIPESTATUS[0]}"#
        let shell = ["/usr/bin/env", "bash", "-c", script]
        let isCut = try (0..<20).contains { _ in
            // The export is small: it may be in the pipe before its reader has gone.
            let answer = try sandbox.run(under: shell, ["export", "records", "-o", "-", "--json"]).expecting(0, 74)
            let error = answer.failure()
            #expect(answer.status == 0 || error?["code"] as? String == "inputOutput")
            return answer.status == 74
        }
        #expect(isCut)
    }

    @Test("it is refused on a terminal, with --force, and without --zip")
    func refusals() throws {
        let sandbox = try Inputs.imported()
        let terminal = try PseudoTerminal()
        let child = try sandbox.start(["export", "records", "-o", "-", "--json"], terminal: terminal.path)
        let (printed, answer) = try terminal.read(until: child)
        #expect(answer.status == 64 && printed.isEmpty)
        #expect((answer.failure()?["message"] as? String)?.contains("terminal") == true)
        try sandbox.run("export", "records", "-o", "-", "--force").expecting(64)
        try sandbox.run("export", "xml", "-o", "-").expecting(64)
        try sandbox.run("export", "records", "-o", "-", "--preview").expecting(0)
        let append = ["/usr/bin/env", "bash", "-c", #""$0" "$@" >> "$HEALTHPROBE_ARCHIVE""#]
        try sandbox.run(under: append, ["export", "records", "-o", "-"]).expecting(73)
        let listed = try sandbox.run("exports", "--json").expecting(0).object()["exports"] as? [Any]
        #expect(listed?.isEmpty == true)
    }

    @Test("a signature is inside", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")))
    func signatures() throws {
        let sandbox = try Inputs.imported()
        let key = sandbox.path("key")
        try RunningChild.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "t", "-f", key])
            .expecting(0)
        let signers = try sandbox.write(
            "examiner " + String(contentsOfFile: key + ".pub", encoding: .utf8), to: "signers")
        for (kind, more) in [("records", []), ("xml", ["--zip"])] {
            let answer = try sandbox.run(["export", kind, "-o", "-", "--sign", key] + more).expecting(0)
            let zip = try file(answer, "\(kind).zip", sandbox)
            #expect(try verdict(zip, sandbox)["signature"] as? String == "unknownSigner")
            let signed = try sandbox.run("verify-export", zip, "--signers", signers, "--json").expecting(0).object()
            #expect(signed["signature"] as? String == "examiner")
            let plain = try sandbox.run(["export", kind, "-o", "-", "--quiet"] + more).expecting(0)
            try sandbox.run("verify-export", try file(plain, "plain.zip", sandbox), "--signers", signers).expecting(4)
        }
    }
}
