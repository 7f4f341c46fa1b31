internal import Foundation
import Testing

@Suite struct SourceStyleTests {
    @Test("no try!, no as!, no force unwrap, no implicitly unwrapped optional")
    func nothingIsForced() {
        for path in SwiftSource.all {
            let source = SwiftSource(path)
            let forced =
                source.places(of: #"\b(try|as)!"#)
                // A value, then `!`, then anything but the rest of `!=` or `!==`.
                + source.places(of: #"[\w\)\]\}>"]!(?!=)"#)
            #expect(forced.isEmpty, "\(forced.joined(separator: ", "))")
        }
    }

    @Test("no file is longer than 300 lines")
    func filesAreShort() {
        for path in SwiftSource.all {
            let count = Repository.lineCount(path)
            #expect(count <= 300, "\(path) has \(count) lines; cut it by concern as Type+Concern.swift")
        }
    }

    @Test("what is not memory-safe is in files named so")
    func unsafeCodeStaysTogether() {
        for path in Repository.paths(under: "Sources") + Repository.paths(under: "Tools") {
            if (path as NSString).lastPathComponent.hasPrefix("Unsafe") { continue }
            let places = SwiftSource(path).places(
                of: #"\bunsafe\b|@safe\b|\bUnsafe(Mutable)?(Raw)?(Buffer)?Pointer\b|\b(OpaquePointer|Unmanaged)\b"#)
            #expect(places.isEmpty, "\(places.joined(separator: ", "))")
        }
    }

    @Test("rows are read by accessors that throw, because GRDB's subscripts trap on a damaged archive")
    func rowsAreReadSafely() {
        for path in Repository.paths(under: "Sources") {
            guard SwiftSource.imports(of: path).contains("GRDB") else { continue }
            let source = SwiftSource(path)
            let named =
                source.code.captures(of: #"\b(\w+)\??(?:: Row\??)? = try \w+\.next\(\)"#)
                + source.code.captures(of: #"\b(\w+) = try Row\.fetchOne"#)
                + source.code.captures(of: #"for (\w+) in try Row\.fetch"#)
            let names = Set(named + ["row"]).sorted().joined(separator: "|")
            let places = source.places(of: #"(?<![\w.])(?:\#(names))\??\[(?:""|\d)"#) + source.places(of: #"\$0\[""\]"#)
            #expect(places.isEmpty, "\(places.joined(separator: ", ")): use get")
        }
        let traps = Repository.paths(under: "Sources").flatMap {
            SwiftSource($0).places(of: #"uniqueKeysWithValues"#)
        }
        #expect(traps.isEmpty, "\(traps.joined(separator: ", ")): equal keys trap; say which value is kept")
    }

    @Test("every @unchecked Sendable gives its reason")
    func uncheckedSendableIsExplained() {
        for path in Repository.paths(under: "Sources") {
            let uses = SwiftSource(path).places(of: #"@unchecked Sendable"#).count
            let reasons = Repository.text(path).captures(of: #"`@unchecked Sendable`:"#).count
            #expect(uses <= reasons, "\(path)")
        }
    }
}
