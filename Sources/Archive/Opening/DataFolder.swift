internal import Foundation

/// Where the program keeps its data.
package enum DataFolder {
    /// `$XDG_DATA_HOME/healthprobe`, else `~/.local/share/healthprobe`.
    package static func path(_ environment: [String: String]) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/healthprobe" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/healthprobe"
    }
}
