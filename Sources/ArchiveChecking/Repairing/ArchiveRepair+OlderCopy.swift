internal import ArchiveFile
internal import ArchiveSealing
internal import Foundation
internal import GRDB

extension ArchiveRepair {
    /// What an archive lacks that it had when it was last used at its path; nil where it lacks nothing or is too damaged
    /// to say. Leaves nothing beside the archive.
    package static func olderCopy(archive given: String, environment: [String: String]) -> String? {
        let path = URL(fileURLWithPath: given).path
        let place = RebuiltFile.untouchedPlace(path)
        let queue = try? ArchiveConnection.open(place.uri, readonly: true, exclusive: place.exclusive)
        defer { try? queue?.close() }
        let answer = try? queue?.read { try RememberedHead.compare($0, path: path, environment: environment) }
        if case .stepBack(let what) = answer { return what }
        return nil
    }
}
