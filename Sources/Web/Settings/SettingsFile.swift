internal import Basics
internal import Foundation
internal import HealthModel
internal import Store

/// Where the settings are: one file of the person, apart from every archive and every cache.
package struct SettingsFile: Sendable {
    package let path: String

    /// `$XDG_CONFIG_HOME/healthprobe/settings.json`, else in `~/.config`.
    package init(_ environment: [String: String]) {
        path = UserFolder.configuration.path(environment) + "/settings.json"
    }

    /// Settings beyond this are none of this program's.
    private static let longest = 1 << 20

    /// The settings; those of a new file where there is none.
    ///
    /// - Throws: `inputOutput` where the file cannot be read as settings, `usage` for a key that is none, and what a key does
    ///   not take.
    package func read() throws -> Settings {
        guard let status = status(path) else { return Settings() }
        guard status.st_size <= Self.longest, let data = FileManager.default.contents(atPath: path),
            let json = try? JSON.document(Array(data)), case .object = json
        else {
            throw HealthProbeError(
                .inputOutput, "The settings cannot be read: \(path)", hint: "healthprobe settings reset makes new ones."
            )
        }
        return try Settings(file: json)
    }

    /// Writes the settings whole (mode 0600), and renames them into place.
    ///
    /// - Throws: `cannotCreate`, `diskFull`.
    package func write(_ settings: Settings) throws {
        let reason = Folders.replace(path, by: Array((settings.file.line + "\n").utf8))
        guard reason == 0 else { throw failure(reason) }
    }

    /// Removes the file, so that everything is as it was without one.
    ///
    /// - Throws: `cannotCreate` where it cannot be removed.
    package func reset() throws {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure(errno) }
    }

    private func failure(_ code: Int32) -> HealthProbeError {
        HealthProbeError(
            isDiskFull(code) ? .diskFull : .cannotCreate, "The settings cannot be written: \(systemMessage(code)).",
            hint: "Check that the folder can be written to: \(Folders.containing(path))")
    }
}
