internal import Foundation
package import GRDB
internal import HealthModel
package import Store

/// The last seen head of an archive, stored outside it: it shows that an older copy was put in its place.
///
/// One file for each archive in `$XDG_STATE_HOME/healthprobe/heads` (folder 0700, file 0600), a line of JSON for each
/// path at which the archive was seen: a backup that is elsewhere is no step backwards. Best effort throughout: a
/// home that cannot be written to only means that nothing is remembered.
package struct RememberedHead: Sendable, Codable, Equatable {
    /// Where the archive was.
    package var path: String
    /// The sequence of the newest seal; 0 where there was none.
    package var sequence: Int64
    /// That seal, in hexadecimal.
    package var seal: String
    /// Rows of the run log, and the digest of the last in hexadecimal.
    package var logRows: Int64
    package var logDigest: String

    /// How an archive's present head answers to what is remembered.
    package enum Answer: Sendable, Equatable {
        /// Nothing is remembered of this archive at this path.
        case unknown
        /// What is remembered is part of the archive.
        case continues
        /// The archive lacks what it had: the text says what.
        case stepBack(String)

        /// What the archive lacks that it had; nil where it lacks nothing that is known.
        package var missing: String? { if case .stepBack(let what) = self { what } else { nil } }
    }

    /// The folder of the remembered heads.
    static func folder(_ environment: [String: String]) -> String {
        UserFolder.state.path(environment) + "/heads"
    }

    /// Holds the archive against what is remembered of it at its path.
    package static func compare(_ db: Database, path: String, environment: [String: String]) throws -> Answer {
        let uuid = try ArchiveIdentity.read(db).uuid
        guard let head = read(uuid, environment).first(where: { $0.path == path }) else { return .unknown }
        if head.sequence > 0 {
            guard let seal = try Seals.at(db, sequence: head.sequence) else {
                let now = try Seals.latest(db)?.sequence ?? 0
                return .stepBack("the archive ends with seal \(now), and was seen here with seal \(head.sequence)")
            }
            if seal.digest.hex != head.seal {
                return .stepBack("seal \(head.sequence) differs from the one that was seen here")
            }
        }
        if head.logRows > 0 {
            let digest = try Digest256.fetchOne(
                db, sql: "SELECT row_digest FROM run_log WHERE id = ?", arguments: [head.logRows])
            if digest?.hex != head.logDigest {
                return .stepBack("the run log lacks row \(head.logRows) as it was seen here")
            }
        }
        return .continues
    }

    /// Remembers an archive's present head, unless that would be a step backwards.
    ///
    /// - Parameter force: also then: the person says that this state is the one to go on from.
    package static func remember(_ db: Database, path: String, environment: [String: String], force: Bool = false) {
        do {
            if !force, case .stepBack = try compare(db, path: path, environment: environment) { return }
            let uuid = try ArchiveIdentity.read(db).uuid
            let seal = try Seals.latest(db)
            let log = try RowDigests.head(db, .runLog)
            let head = RememberedHead(
                path: path, sequence: seal?.sequence ?? 0, seal: seal?.digest.hex ?? "", logRows: log?.rows ?? 0,
                logDigest: log?.digest.hex ?? "")
            let known = read(uuid, environment)
            guard known.first(where: { $0.path == path }) != head else { return }
            try write(known.filter { $0.path != path } + [head], uuid, environment)
        } catch {
            // Best effort: an archive on a read-only home has no memory.
        }
    }

    private static func file(_ uuid: String, _ environment: [String: String]) -> String {
        folder(environment) + "/" + uuid.filter { $0.isHexDigit || $0 == "-" }
    }

    static func read(_ uuid: String, _ environment: [String: String]) -> [RememberedHead] {
        guard let text = try? String(contentsOfFile: file(uuid, environment), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(RememberedHead.self, from: Data($0.utf8))
        }
    }

    private static func write(_ heads: [RememberedHead], _ uuid: String, _ environment: [String: String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes: [UInt8] = []
        for head in heads.suffix(32) { bytes += Array(try encoder.encode(head)) + [0x0A] }
        Folders.replace(file(uuid, environment), by: bytes)
    }
}

extension ArchiveReader {
    /// Holds the archive against what is remembered of it.
    package func headAnswer(environment: [String: String]) throws -> RememberedHead.Answer {
        try read { try RememberedHead.compare($0, path: path, environment: environment) }
    }

    /// Remembers the archive's head, unless that would be a step backwards.
    package func rememberHead(environment: [String: String]) {
        try? read { RememberedHead.remember($0, path: path, environment: environment) }
    }
}
