internal import ArchiveTestSupport
internal import Foundation
internal import Testing

/// What killed exports have left of health data is removed by the next one in the folder, what lives is not.
@Suite struct LeftoverTests {
    @Test func leftoversOfKilledExports() throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Samples.everything)
        let gone = "\(Int32.max)"
        func path(_ name: String) -> String { "\(archive.folder)/\(name)" }
        func make(_ name: String, _ mode: Int) throws {
            try Data("x".utf8).write(to: URL(fileURLWithPath: path(name)))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        }
        for name in ["bag.partial-\(gone)", "new.replaced-\(gone)", "old.replaced-\(gone)", "old"] {
            let folder = path(name)
            #expect(mkdir(folder, 0o700) == 0)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/items.json"))
        }
        try make("export.zip.creating-\(gone)", 0o600)
        try make("copy.sqlite.creating-\(gone)-journal", 0o600)
        // Of a living process, of another name, of another mode, and one that somebody has open to write.
        let kept = [
            "x.creating-\(getpid())", "x.creating-", ".creating-\(gone)", "x.creating-\(gone).txt", "y.partial-0",
        ]
        for name in kept { try make(name, 0o600) }
        try make("z.creating-\(gone)", 0o644)
        try make("w.creating-\(gone)", 0o600)
        let writer = open(path("w.creating-\(gone)"), O_WRONLY | O_CLOEXEC)
        #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
        _ = try archive.export(archive.question())
        close(writer)
        func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
        for name in kept + ["z.creating-\(gone)", "w.creating-\(gone)"] { #expect(isThere(name), "\(name)") }
        for name in ["bag.partial-", "new.replaced-", "old.replaced-", "export.zip.creating-"] {
            #expect(!isThere(name + gone), "\(name)")
        }
        #expect(!isThere("copy.sqlite.creating-\(gone)-journal"))
        #expect(isThere("new/items.json"), "its successor never got the name")
    }
}
