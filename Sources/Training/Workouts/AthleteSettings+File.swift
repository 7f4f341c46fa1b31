internal import Basics
internal import Foundation
internal import HealthModel
internal import Store

extension AthleteSettings {
    /// Reads the settings file that was named, else `$XDG_CONFIG_HOME/healthprobe/athlete.json` (`~/.config` where that
    /// is unset), else none.
    ///
    /// - Throws: `noSuchInput` and `inputOutput` for the file that was named or exists, `invalidSettings` for its content.
    package static func read(_ named: String?, environment: [String: String]) throws -> AthleteSettings {
        let path = named ?? usualPath(environment)
        if named == nil, status(path) == nil { return AthleteSettings() }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { _ = close(descriptor) }
        let bytes = ByteBuffer(capacity: 4096)
        while bytes.count <= maximumBytes {
            let count = Basics.read(descriptor, into: bytes, upTo: 4096)
            guard count >= 0 else { throw failure(path, errno) }
            if count == 0 { return try AthleteSettings(bytes.view.array) }
        }
        throw HealthProbeError(
            .invalidSettings, "The settings file is larger than 1 MiB.", hint: "Is it the right file?",
            place: .file(path))
    }

    private static let maximumBytes = 1 << 20

    /// Where the settings are that nobody names.
    package static func usualPath(_ environment: [String: String]) -> String {
        UserFolder.configuration.path(environment) + "/athlete.json"
    }

    private static func failure(_ path: String, _ code: Int32) -> HealthProbeError {
        HealthProbeError(
            code == ENOENT ? .noSuchInput : .inputOutput,
            "The settings file cannot be read: \(systemMessage(code)).", hint: "Name another file with --settings.",
            place: .file(path))
    }
}
