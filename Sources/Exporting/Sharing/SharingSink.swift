internal import Basics
internal import HealthModel

/// Writes the files of a Health export as a copy to share has them.
///
/// `@unchecked Sendable`: one thread at a time writes.
final class SharingSink: MemberSink, @unchecked Sendable {
    private let sink: any MemberSink
    private let copy: SharedCopy
    private let shift: DateShift?
    private let out = ByteBuffer(capacity: 1 << 18)
    /// The track that is being written; nil for other files.
    private var track: [UInt8]?

    init(_ sink: any MemberSink, _ copy: SharedCopy) {
        self.sink = sink
        self.copy = copy
        shift = copy.shiftDays.map { DateShift(days: $0) }
    }

    func begin(_ path: String) throws {
        track = copy.trimsTracks && SideFileKind.of(path) == .workoutRoute ? [] : nil
        try sink.begin(copy.shifted(path))
    }

    func append(_ bytes: ByteView) throws {
        if track != nil { track?.append(contentsOf: bytes.array) } else { try write(bytes) }
    }

    func end() throws -> WrittenMember {
        if let track, let metres = copy.trimMetres {
            try TrackTrimming.trimmed(track, metres: metres).withByteView { try write($0) }
        }
        track = nil
        shift?.finish(to: out)
        try flush()
        return try sink.end()
    }

    func finish() throws { try sink.finish() }

    private func write(_ bytes: ByteView) throws {
        guard let shift else { return try sink.append(bytes) }
        shift.append(bytes, to: out)
        if out.count >= 1 << 17 { try flush() }
    }

    private func flush() throws {
        guard out.count > 0 else { return }
        try sink.append(out.view)
        out.removeAll()
    }
}
