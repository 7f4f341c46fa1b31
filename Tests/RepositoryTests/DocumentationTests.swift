internal import Foundation
import Testing

/// What scripts rely on is written down: names in the code that the documents do not have, and the other way round.
@Suite struct DocumentationTests {
    static let cli = Repository.text("docs/cli.md")
    static let archiveFormat = Repository.text("docs/archive-format.md")
    static let exportFormat = Repository.text("docs/export-format.md")

    /// The cases of the enum `Code` in every file of `Sources` that has one.
    static let errorCodes: [String] = Repository.paths(under: "Sources").flatMap { path -> [String] in
        let text = Repository.text(path)
        guard let start = text.range(of: "enum Code: String") else { return [] }
        let body = text[start.upperBound...].prefix { $0 != "}" }
        return String(body).captures(of: #"^\s*case ([\w, ]+)$"#).flatMap {
            $0.components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("every error code is in docs/cli.md")
    func errorCodesAreDocumented() {
        #expect(Self.errorCodes.count > 15)
        for code in Self.errorCodes {
            #expect(Self.cli.contains("| `\(code)` |"), "\(code) has no row in the table of error codes")
        }
    }

    @Test("every error code has its exit code in docs/cli.md")
    func exitCodesAreDocumented() {
        var checked = 0
        let text = Repository.text("Sources/HealthModel/HealthProbeError.swift")
        for line in text.captures(of: #"^\s*(case [.\w, ]+: \d+)$"#) {
            guard let exit = line.captures(of: #": (\d+)$"#).first else { continue }
            for code in line.captures(of: #"\.(\w+)"#) {
                checked += 1
                #expect(Self.cli.contains("| `\(code)` | \(exit) |"), "\(code) exits \(exit)")
                #expect(Self.cli.contains("\n| \(exit) |"), "\(exit) is not in the table of exit codes")
            }
        }
        #expect(checked >= Set(Self.errorCodes).count)
    }

    @Test("every code in the tables of docs/cli.md exists")
    func documentedCodesExist() {
        for code in Self.cli.captures(of: #"^\| `(\w+)` \| \d+ \|"#) {
            #expect(Self.errorCodes.contains(code), "\(code)")
        }
    }

    /// Command names: the literal `commandName` of each command, else its type's name in lower case.
    static let commands: [String] = Repository.paths(under: "Sources/Commands").flatMap { path in
        let text = Repository.text(path)
        let names = text.captures(of: #"commandName: "([\w-]+)""#)
        return names.isEmpty
            ? text.captures(of: #"struct (\w+): ParsableCommand"#).map { $0.lowercased() } : names
    }

    @Test("every command is in docs/cli.md")
    func commandsAreDocumented() {
        #expect(Self.commands.count > 10)
        for command in Self.commands where command != "healthprobe" {
            let found = Self.cli.captures(of: #"healthprobe (?:\w+ )?\#(command)\b"#)
            #expect(!found.isEmpty, "\(command)")
        }
    }

    @Test("every option of the program is in docs/cli.md")
    func optionsAreDocumented() {
        for path in Repository.paths(under: "Sources/Commands") {
            let text = Repository.text(path)
            var names = text.captures(of: #"customLong\("([\w-]+)"\)"#)
            for declaration in text.captures(
                of:
                    #"@(?:Option|Flag)(?:\((?!\s*name: \.customLong)(?s:.*?)\))?\s+(?:package |internal |private )?var (\w+)"#
            ) {
                names.append(declaration.captures(of: #"[A-Z]?[a-z0-9]+|[A-Z]+"#).joined(separator: "-").lowercased())
            }
            for name in Set(names) {
                #expect(Self.cli.contains("--\(name)"), "--\(name) of \(path)")
            }
        }
    }

    @Test("every table, view and column is in docs/archive-format.md")
    func schemaIsDocumented() {
        let schemas = Repository.paths(under: "Sources/Store/Schema").filter { $0.hasSuffix(".sql") }
        let schema = Repository.text(schemas.last ?? "")
        for name in schema.captures(of: #"^CREATE (?:TABLE|VIEW) (\w+)"#) {
            #expect(Self.archiveFormat.contains("### `\(name)`"), "\(name) has no section")
        }
        for column in Set(schema.captures(of: #"^ {4}([a-z][a-z_0-9]*) (?:INTEGER|TEXT|BLOB|REAL|ANY)"#)) {
            #expect(Self.archiveFormat.contains("`\(column)`"), "the column \(column)")
        }
    }

    /// The ids that `check` prints.
    static let invariants: [String] =
        Repository.paths(under: "Sources/Care").flatMap { path in
            Repository.text(path).captures(of: #"InvariantCheck\("([A-Z]\d\d-\w+)""#)
        }
        + Repository.paths(under: "Sources/Exporting").flatMap { path in
            Repository.text(path).captures(of: #"let invariant = "([A-Z]\d\d-\w+)""#)
        }

    @Test("every invariant is in docs/archive-format.md")
    func invariantsAreDocumented() {
        #expect(Self.invariants.count > 20)
        for id in Self.invariants { #expect(Self.archiveFormat.contains("| `\(id)` |"), "\(id)") }
        for id in Self.archiveFormat.captures(of: #"^\| `([A-Z]\d\d-\w+)` \|"#) {
            #expect(Self.invariants.contains(id), "\(id) is described, and no code tests it")
        }
    }

    @Test("every repair, quarantine reason and cap is in docs/export-format.md")
    func repairsAndReasonsAreDocumented() {
        let repairs = Repository.text("Sources/ExportReading/Filtering/Repairs.swift").captures(of: #"^\s*case (\w+)$"#)
        let reasons = Repository.text("Sources/HealthModel/Items/ItemKind.swift").captures(
            of: #"Self\(code: "(\w+)"\)"#)
        #expect(!repairs.isEmpty && !reasons.isEmpty)
        for name in repairs + reasons { #expect(Self.exportFormat.contains("`\(name)`"), "\(name)") }
    }

    @Test("links between the documents lead somewhere")
    func linksLeadSomewhere() {
        for path in Repository.paths where path.hasSuffix(".md") {
            let folder = (path as NSString).deletingLastPathComponent
            for link in Repository.text(path).captures(of: #"\]\(([^)#:\s]+)(?:#[^)]*)?\)"#) {
                let target = URL(
                    fileURLWithPath: link, relativeTo: Repository.root.appendingPathComponent(folder + "/"))
                #expect(FileManager.default.fileExists(atPath: target.path), "\(path) links to \(link)")
            }
        }
    }

    @Test("the program's README names only targets that the Makefile has")
    func makeTargetsExist() {
        let targets = Set(Repository.text("Makefile").captures(of: #"^([a-z-]+):"#))
        for path in Repository.paths where path.hasSuffix(".md") {
            for target in Repository.text(path).captures(of: #"^\s*\$? ?make ([a-z-]+)"#) {
                #expect(targets.contains(target), "\(path): make \(target)")
            }
        }
    }
}
