internal import Basics
internal import Foundation
package import HealthModel

/// Where a page of a record listing ended: the last row's place in the order of the listing.
///
/// Opaque to callers: base64url of the sort key. It holds no row id, so it is good for any copy of the archive.
package struct PageCursor: Sendable, Equatable {
    package var type: String
    package var start: Int64?
    package var end: Int64?
    package var identity: Digest256
    package var version: Digest256
    package var ordinal: Int64

    private static let formatVersion: UInt8 = 1
    /// Format version, two flags, start, end, ordinal, identity, version; the type follows.
    private static let fixedBytes = 1 + 2 + 3 * 8 + 2 * 32
}

extension HealthProbeError {
    /// The error for an `--after` with which no page ended.
    package static let foreignCursor = HealthProbeError(
        .usage, "--after takes a cursor that this program printed.",
        hint: "Copy it whole from the line {\"next\":…} of the previous page.")
}

extension PageCursor {
    /// The place of a row.
    package init(_ row: RecordRow) {
        self.init(
            type: row.type, start: row.start, end: row.end, identity: row.identity, version: row.version,
            ordinal: row.ordinal)
    }

    /// Reads what `text` returned; nil for anything else.
    package init?(_ text: String) {
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64) else { return nil }
        let bytes = [UInt8](data)
        guard bytes.count >= Self.fixedBytes, bytes[0] == Self.formatVersion, bytes[1] < 2, bytes[2] < 2 else {
            return nil
        }
        func number(_ at: Int) -> Int64 {
            Int64(bitPattern: bytes[at..<at + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        func digest(_ at: Int) -> Digest256? { Digest256(bytes: bytes[at..<at + 32]) }
        guard let identity = digest(27), let version = digest(59),
            let type = String(validating: bytes[Self.fixedBytes...], as: UTF8.self)
        else { return nil }
        self.init(
            type: type, start: bytes[1] == 1 ? number(3) : nil, end: bytes[2] == 1 ? number(11) : nil,
            identity: identity, version: version, ordinal: number(19))
    }

    /// The cursor as people and scripts hand it on.
    package var text: String {
        let bytes = ByteBuffer(capacity: 256)
        bytes.append([Self.formatVersion, start == nil ? 0 : 1, end == nil ? 0 : 1])
        for number in [start ?? 0, end ?? 0, ordinal] { bytes.append(long: number.byteSwapped) }
        bytes.append(identity.data + version.data + Array(type.utf8))
        return Data(bytes.view).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
