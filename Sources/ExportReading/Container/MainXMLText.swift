internal import Basics

/// Parts of the main XML as they are in the file, in ascending order, at constant memory.
package final class MainXMLText {
    private let source: any ByteSource
    private var position: Int64 = 0
    private let buffer = ByteBuffer(capacity: 1 << 18)
    private var from = 0
    /// The part that was read last, which several items may share.
    private var last: (start: Int64, end: Int64, part: Part)?

    /// A part of the file.
    package struct Part: Sendable {
        /// Where it begins, behind white space.
        package var start: Int64
        package var bytes: [UInt8]
        /// Whether it goes on behind these bytes.
        package var isCut: Bool
    }

    /// - Throws: `HealthProbeError` where the container cannot be opened.
    package init(_ container: ExportContainer) throws { source = try container.openMain() }

    /// The bytes from `start` to `end`, at most `limit` of them, white space before them left out.
    ///
    /// - Parameters:
    ///   - start: not before the end of the part read before, or that part's own start.
    /// - Throws: `inputOutput` where the system cannot read so far; a damaged container ends there.
    package func part(from start: Int64, to end: Int64, limit: Int) throws -> Part {
        if let last, last.start == start, last.end == end { return last.part }
        var part = Part(start: start, bytes: [], isCut: false)
        while position < start, try fill() { skip(Int(clamping: start - position)) }
        while position < end, try fill() {
            if part.bytes.isEmpty, buffer[from] <= 0x20 {
                skip(1)
                part.start = position
                continue
            }
            let count = min(buffer.count - from, Int(clamping: end - position))
            let room = limit - part.bytes.count
            part.bytes += buffer.view[from..<from + min(count, room)].array
            if count > room { part.isCut = true }
            skip(count)
        }
        last = (start, end, part)
        return part
    }

    private func skip(_ count: Int) {
        let step = min(count, buffer.count - from)
        from += step
        position += Int64(step)
    }

    private func fill() throws -> Bool {
        if from < buffer.count { return true }
        from = 0
        buffer.removeAll()
        do {
            return try source.read(into: buffer, upTo: 1 << 18) > 0
        } catch let damage as DamagedSource {
            if damage.isReadError { throw damage.inputOutput }
            return false
        }
    }
}
