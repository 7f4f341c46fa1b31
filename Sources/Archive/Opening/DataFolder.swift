internal import Foundation

/// Where the program keeps its data.
package enum DataFolder {
    /// `$XDG_DATA_HOME/healthprobe`, else `~/.local/share/healthprobe`.
    package static func path(_ environment: [String: String]) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/healthprobe" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/healthprobe"
    }

    /// Makes a folder that only its owner can enter (0700), and those above it; what is there stays as it is.
    ///
    /// That it could not be made shows when something is to be written there.
    static func makePrivate(_ folder: String) {
        let mask = umask(0o077)
        defer { umask(mask) }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
