internal import Foundation

/// Where the program keeps its data.
package enum DataFolder {
    /// `$XDG_DATA_HOME/healthprobe`, else `~/.local/share/healthprobe`.
    package static func path(_ environment: [String: String]) -> String {
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/healthprobe" }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (home ?? NSHomeDirectory()) + "/.local/share/healthprobe"
    }

    /// Whether the environment names the folder, so that what is not in it is nowhere.
    package static func isNamed(_ environment: [String: String]) -> Bool {
        environment["XDG_DATA_HOME"]?.hasPrefix("/") == true || environment["HOME"]?.isEmpty == false
    }
}
