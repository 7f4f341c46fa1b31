internal import Basics
internal import Foundation
internal import HealthModel

/// Makes a whole file under a temporary name and only then names it: a file of that name is never a part of one.
package enum NewFile {
    /// Makes a database that only its owner can read, and makes it outlast a loss of power. Removes what killed processes
    /// have left of such a file.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - failure: what cannot be done where the file cannot get its name.
    ///   - name: gives the file at a temporary name its own, and returns 0 or the system's `errno`.
    ///   - body: makes the file at the temporary name and verifies it. On any error nothing is left of it.
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`, and what `body` throws.
    package static func make<R>(
        _ path: String, failure: String, name: (String) -> Int32, _ body: (String) throws -> R
    ) throws -> R {
        let temporary = "\(path).creating-\(getpid())"
        Folders.removeDatabase(temporary)
        TemporaryFolder.removeRemains(ofArchive: path)
        Leftovers.remove(from: Folders.containing(path))
        let mask = umask(0o077)
        defer {
            // Also where all went well: SQLite leaves a log and shared memory under the name that the file had then.
            Folders.removeDatabase(temporary)
            umask(mask)
        }
        do {
            let made = try body(temporary)
            guard Folders.sync(temporary) else { throw refusal(errno, failure, .inputOutput) }
            let reason = name(temporary)
            guard reason == 0 else { throw refusal(reason, failure, .cannotCreate) }
            Folders.sync(Folders.containing(path))
            return made
        } catch {
            throw HealthProbeError(error)
        }
    }

    /// Makes a file at a path where nothing may be yet.
    ///
    /// - Throws: as the other `make`.
    package static func make<R>(_ path: String, failure: String, _ body: (String) throws -> R) throws -> R {
        try make(path, failure: failure, name: { NewName.give(path, to: $0) }, body)
    }

    /// Refuses a path at which there is something, and one in whose folder nothing can be made.
    ///
    /// - Parameter given: the path in the user's words.
    /// - Throws: `cannotCreate`.
    package static func requireNothing(at path: String, given: String) throws {
        guard linkStatus(path) == nil else {
            throw HealthProbeError(.cannotCreate, "\(given) already exists.", hint: "Choose another path.")
        }
        let folder = Folders.containing(path)
        // With the full stop a file is no folder.
        guard access(folder + "/.", W_OK | X_OK) == 0 else {
            throw HealthProbeError(
                .cannotCreate, "The folder of \(given) cannot be written to.", hint: "Check the path: \(folder)")
        }
    }

    private static func refusal(_ code: Int32, _ failure: String, _ other: HealthProbeError.Code) -> HealthProbeError {
        HealthProbeError(
            isDiskFull(code) ? .diskFull : other, "\(failure): \(systemMessage(code)).",
            hint: "Check that its folder can be written to.")
    }
}
