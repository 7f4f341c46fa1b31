internal import Basics
internal import Foundation

/// Counts the zones that the items of a page name as their `HKTimeZone`.
///
/// Records of one zone follow one another, so the one met last is compared first and nothing is hashed.
struct TapeZoneCounts {
    private var counts: [(bytes: [UInt8], count: Int64)] = []
    private var last = 0
    private static let key = Array("HKTimeZone".utf8)
    /// The longest name that is counted; no zone has one as long.
    private static let longest = 64
    /// Different names counted of one page.
    private static let most = 64

    /// Looks at one metadata entry.
    @inline(__always)
    mutating func note(key: ByteView, value: ByteView) {
        guard key.count == Self.key.count, key[0] == Self.key[0], key[2] == Self.key[2],
            Self.key.withByteView({ $0 == key })
        else { return }
        add(value)
    }

    /// Looks at an item's metadata as canonical JSON.
    mutating func note(metadata: String?) {
        guard let metadata, let key = metadata.range(of: "\"HKTimeZone\":\"") else { return }
        let value = Array(metadata[key.upperBound...].prefix { $0 != "\"" }.utf8)
        value.withByteView { add($0) }
    }

    private mutating func add(_ name: ByteView) {
        guard name.count > 0, name.count <= Self.longest else { return }
        if last < counts.count, isEqual(counts[last].bytes, name) {
            counts[last].count += 1
        } else if let known = counts.firstIndex(where: { isEqual($0.bytes, name) }) {
            last = known
            counts[known].count += 1
        } else if counts.count < Self.most {
            last = counts.count
            counts.append((name.array, 1))
        }
    }

    private func isEqual(_ bytes: [UInt8], _ name: ByteView) -> Bool { bytes.withByteView { $0 == name } }

    /// Hands on the counts and begins again.
    mutating func take() -> [(name: String, count: Int64)] {
        defer {
            counts.removeAll(keepingCapacity: true)
            last = 0
        }
        return counts.map { (String(decoding: $0.bytes, as: UTF8.self), $0.count) }
    }
}
