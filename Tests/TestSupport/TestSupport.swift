package import Foundation

/// What tests of the built program share: finding it, running it in a sandbox of its own, reading its answers, and the
/// few things that only root can arrange. Nothing here knows what `healthprobe` does inside.
package enum TestSupport {
    /// Something that a test needs is not as it must be.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// The package's folder.
    package static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Whether the tests run on a build server, where nothing may be skipped for want of a program.
    package static var isBuildServer: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
