internal import Foundation

/// A folder of the program in the person's home, by the XDG Base Directory Specification.
package enum UserFolder: String {
    case data = "XDG_DATA_HOME"
    case state = "XDG_STATE_HOME"
    case configuration = "XDG_CONFIG_HOME"

    /// The variable's folder, else the usual one in the home, with `/healthprobe`.
    package func path(_ environment: [String: String]) -> String {
        if let base = environment[rawValue], base.hasPrefix("/") { return base + "/healthprobe" }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return "\(home)/\(usual)/healthprobe"
    }

    /// Whether the environment names the folder, so that what is not in it is nowhere.
    package func isNamed(_ environment: [String: String]) -> Bool {
        environment[rawValue]?.hasPrefix("/") == true || environment["HOME"]?.isEmpty == false
    }

    private var usual: String {
        switch self {
        case .data: ".local/share"
        case .state: ".local/state"
        case .configuration: ".config"
        }
    }
}
