internal import Foundation

/// The built `healthprobe`.
package enum BuiltProgram {
    /// `$HEALTHPROBE_BIN`, else the program in the folder of the test bundle or above it; nil where there is none.
    package static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let given = environment["HEALTHPROBE_BIN"], !given.isEmpty { return given }
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("healthprobe").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isExecutableFile(atPath: candidate)
            {
                return candidate
            }
        }
        return nil
    }()

    /// Whether tests of the built program are to run: on a build server always, and there a missing one is a failure.
    package static var isExpected: Bool { path != nil || TestSupport.isBuildServer }

    /// - Throws: `TestSupport.Failure` where the program has not been built.
    package static func required() throws -> String {
        guard let path else {
            throw TestSupport.Failure("healthprobe is not built: swift build, or set HEALTHPROBE_BIN")
        }
        return path
    }
}
