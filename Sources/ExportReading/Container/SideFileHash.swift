package import Basics
package import HealthModel

/// The canonical hash of a side file: SHA-256 of its bytes without what changes at every export.
///
/// Of a GPX track that is the `<time>` of its `<metadata>` (the export's time) and the `<name>` of its `<trk>` before the
/// first `<trkseg` (the route's end in the phone's zone at export), both within the first 64 KiB; all other files are
/// hashed as they are.
package struct SideFileHash {
    private var hash = SHA256()
    private var head: [UInt8] = []
    private var headDone: Bool
    private static let headBytes = 1 << 16

    package init(kind: SideFileKind) { headDone = kind != .workoutRoute }

    package mutating func update(_ bytes: ByteView) {
        let count = headDone ? 0 : min(bytes.count, Self.headBytes - head.count)
        head.append(contentsOf: bytes[0..<count])
        if head.count == Self.headBytes { flushHead() }
        if count < bytes.count { hash.update(bytes[count...]) }
    }

    package mutating func finalize() -> Digest256 {
        if !headDone { flushHead() }
        return hash.finalize()
    }

    private mutating func flushHead() {
        headDone = true
        var text = head[...]
        // A point's own time and name are part of the track: each is looked for where it is at export only.
        for (begin, ends, inner) in [
            ("<metadata>", ["</metadata>"], "time"), ("<trk>", ["<trkseg", "</trk>"], "name"),
        ] {
            guard let start = Self.find(begin, in: text, from: text.startIndex),
                let stop = ends.compactMap({ Self.find($0, in: text, from: start) }).min(),
                let open = Self.find("<\(inner)>", in: text[..<stop], from: start),
                let close = Self.find("</\(inner)>", in: text[..<stop], from: open)
            else { continue }
            text.removeSubrange(open + inner.utf8.count + 2..<close)
        }
        text.withByteView { hash.update($0) }
        head = []
    }

    private static func find(_ needle: String, in text: ArraySlice<UInt8>, from: Int) -> Int? {
        let place = needle.withByteView { mark in
            text.withByteView { $0.firstIndex(of: mark, from: from - text.startIndex) }
        }
        return place.map { text.startIndex + $0 }
    }
}
