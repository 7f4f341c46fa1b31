internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel

/// Reading does not depend on the size of the chunks or on who reads plain items, and every item lies where it says.
enum ReaderTarget {
    static func run(_ bytes: ByteView) {
        // Bare XML: what starts like a zip belongs to the other target.
        guard !bytes.starts(with: [0x50, 0x4B]) else { return }
        ScratchFile.with(bytes) { path in
            let size = 1 + (bytes.count == 0 ? 0 : Int(bytes[bytes.count - 1]))
            let first = read(path, chunkBytes: size)
            let second = read(path, chunkBytes: 1 << 18)
            precondition(first == second, "chunks of \(size) bytes read something else")
            let third = read(path, chunkBytes: size, readsPlainItems: false)
            precondition(first == third, "libxml2 alone reads something else")
        }
    }

    /// What of a reading must be the same for every size of chunks.
    private struct Reading: Equatable {
        var lines: [String] = []
        var complete = false
        var stop = ""
        var digest = Digest256()
    }

    private static func read(_ path: String, chunkBytes: Int, readsPlainItems: Bool = true) -> Reading? {
        var out = Reading()
        do {
            let container = try ExportContainer(path: path)
            let document = try ExportReader(container, chunkBytes: chunkBytes, readsPlainItems: readsPlainItems).read {
                page in
                for item in page.items + page.nested {
                    let place = item.place
                    precondition(place.byteStart >= 0 && place.byteStart <= place.byteEnd)
                    precondition(place.byteEnd <= container.mainByteCount)
                    out.lines.append("\(item.identity.hex) \(item.version.hex) \(place.line) \(place.byteEnd)")
                    for slice in [item.metadata, item.extras, item.volatileFields, item.strictKey] {
                        check(slice, page)
                    }
                }
                for item in page.quarantined { out.lines.append("\(item.reason.code) \(item.place.line) \(item.text)") }
            }
            precondition(document.xmlByteCount == container.mainByteCount, "not every byte was hashed")
            out.complete = document.isComplete
            out.stop = document.header.stop.map { "\($0.reason) \($0.line) \($0.byte)" } ?? ""
            out.digest = document.xmlDigest
            if document.isComplete {
                out.lines += document.repairs.entries.map { "\($0.kind) \($0.count) \($0.firstLine)" }
                out.lines += document.unknown.counts.map { "\($0.key) \($0.value)" }.sorted()
            }
            return out
        } catch {
            precondition(error is HealthProbeError)
            return nil
        }
    }

    private static func check(_ slice: ByteSlice, _ page: ItemPage) {
        guard !slice.isAbsent else { return }
        let view = page.view(slice)
        let data = Data(view)
        precondition((try? JSONSerialization.jsonObject(with: data)) != nil, "no JSON: \(view.string)")
    }
}
