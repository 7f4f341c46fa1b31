internal import Basics
internal import Foundation
internal import GRDB
internal import HealthModel
internal import Store

/// Stored side files have their stored hashes.
enum SideFileInvariants {
    static let all = [InvariantCheck("E01-sideFiles", sideFiles)]

    /// The parts unpack to the stored length and SHA-256. The canonical hash is that of the bytes themselves, except of
    /// routes, whose canonical form only the reader knows.
    private static func sideFiles(_ scope: CheckScope) throws -> String? {
        let parts = try PreparedStatement(
            scope.db, "SELECT part, deflated FROM side_file_parts WHERE side_file_id = ? ORDER BY part")
        let files = try PreparedStatement(
            scope.db, "SELECT id, kind, content_sha256, stored_sha256, byte_count FROM side_files ORDER BY id")
        defer { files.reset() }
        var violations = Violations()
        while try files.step() {
            let id = files.int(0)
            var hash = SHA256()
            var length: Int64 = 0
            var expected: Int64 = 0
            var isSound = true
            parts.bind(1, id)
            while isSound, try parts.step() {
                let packed = parts.bytes(1).map { Data($0) } ?? Data()
                if parts.int(0) == expected, let bytes = Deflate.expand(packed) {
                    bytes.withByteView { hash.update($0) }
                    length += Int64(bytes.count)
                    expected += 1
                } else {
                    isSound = false
                }
            }
            parts.reset()
            let digest = hash.finalize()
            if !isSound || length != files.int(4) || digest != files.digest(3)
                || (files.text(1) != SideFileKind.workoutRoute.rawValue && digest != files.digest(2))
            {
                violations.add(id)
            }
        }
        return violations.detail("side files whose bytes are not those that were stored")
    }
}
