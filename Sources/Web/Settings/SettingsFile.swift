internal import ArchiveFile
internal import Foundation
internal import HealthModel
internal import SystemCalls
internal import TextFormats

/// Where the settings are: one file of the person, apart from every archive and every cache.
package struct SettingsFile: Sendable {
    package let path: String

    /// `$XDG_CONFIG_HOME/healthprobe/settings.json`, else in `~/.config`.
    package init(_ environment: [String: String]) {
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        path = (base ?? home + "/.config") + "/healthprobe/settings.json"
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
        let folder = Folders.containing(path)
        Folders.makePrivate(folder)
        let (file, temporary) = openTemporary("\(folder)/.settings-XXXXXX")
        guard file >= 0 else { throw failure(errno) }
        let isWritten = Array((settings.file.line + "\n").utf8).withByteView { writeAll($0, to: file) }
        let reason = isWritten && fsync(file) == 0 ? 0 : errno
        close(file)
        guard reason == 0, rename(temporary, path) == 0 else {
            let code = reason == 0 ? errno : reason
            unlink(temporary)
            throw failure(code)
        }
        Folders.sync(folder)
    }

    /// Removes the file, so that everything is as it was without one.
    ///
    /// - Throws: `cannotCreate` where it cannot be removed.
    package func reset() throws {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure(errno) }
    }

    private func failure(_ code: Int32) -> HealthProbeError {
        HealthProbeError(
            code == ENOSPC ? .diskFull : .cannotCreate, "The settings cannot be written: \(systemMessage(code)).",
            hint: "Check that the folder can be written to: \(Folders.containing(path))")
    }
}
