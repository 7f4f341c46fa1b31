internal import Foundation
import Testing

/// The stages of the data flow know only what lies before them: `Package.swift` says what each target may import.
///
/// SwiftPM refuses cycles, but it lets an undeclared import of a sibling through as long as the sibling happens to be
/// built, and it does not mind a dependency that nothing imports.
@Suite struct LayerTests {
    /// A target with sources, as `Package.swift` declares it.
    struct Target: CustomTestStringConvertible {
        var name: String
        var folder: String
        /// The modules that it depends on.
        var modules: Set<String>
        var isProgram: Bool
        var isTest: Bool

        var testDescription: String { name }

        /// The modules that its files import, with the files.
        var imports: [(module: String, path: String)] {
            Repository.paths(under: folder).flatMap { path in SwiftSource.imports(of: path).map { ($0, path) } }
        }
    }

    /// What comes with the toolchain.
    static let system: Set<String> = ["Foundation", "Glibc", "Dispatch", "Synchronization", "Testing"]

    /// The modules of the product constants at the head of `Package.swift`.
    static let products: [String: String] = {
        let text = Repository.text("Package.swift")
        let names = text.captures(of: #"let (\w+) = Target\.Dependency\.product"#)
        let modules = text.captures(of: #"= Target\.Dependency\.product\(name: "(\w+)""#)
        return Dictionary(zip(names, modules)) { first, _ in first }
    }()

    static let targets: [Target] = {
        let text = Repository.text("Package.swift")
        let declarations = text.captures(
            of: #"\.(?:target|executableTarget|testTarget)\(([^()]*(?:\([^()]*\)[^()]*)*)\)"#)
        return declarations.compactMap { declaration in
            guard let name = declaration.captures(of: #"name: "([\w-]+)""#).first else { return nil }
            let isTest = text.contains(".testTarget(\(declaration)")
            let folder =
                declaration.captures(of: #"\bpath: "([^"]+)""#).first ?? "\(isTest ? "Tests" : "Sources")/\(name)"
            let list = declaration.captures(of: #"dependencies: \[([^\]]*)\]"#).first ?? ""
            let words = list.captures(of: #"[\w-]+"#).map { products[$0] ?? $0 }
            return Target(
                name: name, folder: folder, modules: Set(words),
                isProgram: text.contains(".executableTarget(\(declaration)"), isTest: isTest)
        }
    }()

    @Test("the targets of Package.swift are found, and no folder of Sources is without one")
    func targetsAreFound() {
        let folders = Repository.paths(under: "Sources").compactMap { $0.split(separator: "/").dropFirst().first }
        #expect(Set(folders.map { "Sources/\($0)" }).isSubset(of: Self.targets.map(\.folder)))
        #expect(Self.targets.contains { $0.name == "Commands" && $0.modules.contains("ArgumentParser") })
    }

    @Test("a target imports what it declares and nothing else", arguments: targets)
    func importsAreDeclared(target: Target) {
        for (module, path) in target.imports where !Self.system.contains(module) {
            #expect(target.modules.contains(module), "\(path) imports \(module), which its target does not declare")
        }
    }

    @Test("every declared dependency is imported", arguments: targets)
    func dependenciesAreUsed(target: Target) {
        // Tests of the built program declare it, so that it is built.
        let unused = target.modules.subtracting(target.imports.map(\.module)).subtracting(["healthprobe"])
        #expect(unused.isEmpty, "\(target.name) imports no \(unused.sorted().joined(separator: ", "))")
    }

    @Test("every target is a program, tests, or imported by another target")
    func targetsAreUsed() {
        let used = Set(Self.targets.flatMap(\.modules))
        for target in Self.targets where !target.isProgram && !target.isTest {
            #expect(used.contains(target.name), "nothing imports \(target.name)")
        }
    }

    @Test(
        "SQL stays in the archive's targets and the cache, and C pointers to SQLite in the archive's file and its care")
    func databaseStaysInTheArchive() {
        let asking: Set = ["Store", "Days", "Evidence", "History", "Questions", "Care", "Caching"]
        for path in Repository.paths(under: "Sources") {
            let target = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            let imports = Set(SwiftSource.imports(of: path))
            #expect(asking.contains(target) || !imports.contains("GRDB"), "\(path) imports GRDB")
            #expect(target == "Store" || !imports.contains("GRDBSQLite"), "\(path) imports SQLite's C interface")
            let holdsPointers = ["Store", "Care"].contains(target)
            let places = holdsPointers ? [] : SwiftSource(path).places(of: #"\bUnsafeDatabase\b"#)
            #expect(places.isEmpty, "\(places.joined(separator: ", ")): use PreparedStatement")
        }
    }

    @Test("formulas and the files of apps know no archive and read no file")
    func formulasKnowNoArchive() {
        let allowed: Set = ["Foundation", "Basics", "HealthModel"]
        for folder in ["Formulas", "Companion"] {
            let paths = Repository.paths(under: "Sources/Training/\(folder)")
            #expect(!paths.isEmpty)
            for path in paths { #expect(allowed.isSuperset(of: SwiftSource.imports(of: path)), "\(path)") }
        }
    }

    @Test("a server's library is imported by the server alone")
    func socketsStayInTheServer() {
        let sockets: Set = ["HummingbirdCore", "NIOCore", "NIOPosix", "NIOHTTP1", "HTTPTypes", "Logging"]
        for path in Repository.paths(under: "Sources") where !path.hasPrefix("Sources/Web/Server/") {
            #expect(sockets.isDisjoint(with: SwiftSource.imports(of: path)), "\(path)")
        }
    }

    @Test("XML never meets SQL")
    func parserAndDatabaseStayApart() {
        for path in Repository.paths(under: "Sources") {
            let imports = Set(SwiftSource.imports(of: path))
            #expect(
                imports.isDisjoint(with: ["Clibxml2", "Clibzip"]) || imports.isDisjoint(with: ["GRDB", "GRDBSQLite"]),
                "\(path)")
        }
    }
}
