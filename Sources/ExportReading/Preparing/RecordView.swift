internal import Basics

/// The attributes and metadata of a plain record as views into its tape.
///
/// A record is plain when it has only known attributes, dates that parse and well-formed metadata entries; all others
/// take the general path.
struct RecordView {
    var type: ByteView?
    var sourceName: ByteView?
    var sourceVersion: ByteView?
    var device: ByteView?
    var unit: ByteView?
    var creationDate: ByteView?
    var startDate: ByteView?
    var endDate: ByteView?
    var value: ByteView?

    /// Reads a record and its metadata; false when it is not plain.
    @inline(__always)
    mutating func read(_ tape: ByteView, metadata: inout [(key: ByteView, value: ByteView)]) -> Bool {
        var at = 0
        guard tape.count > 7, tape[at] == TapePage.start, tape[at + 1] == TapeName.record else { return false }
        at += 2
        guard readAttributes(tape, &at) else { return false }
        while true {
            switch tape[at] {
            case TapePage.end:
                return true
            case TapePage.start:
                guard tape[at + 1] == TapeName.metadataEntry else { return false }
                at += 2
                guard Self.word(tape, &at) == 2 else { return false }
                var key: ByteView?
                var entryValue: ByteView?
                for _ in 0..<2 {
                    let name = tape[at]
                    at += 1
                    guard name == TapeName.key || name == TapeName.value else { return false }
                    let length = Self.word(tape, &at)
                    let view = tape[at..<at + length]
                    if name == TapeName.key { key = view } else { entryValue = view }
                    at += length
                }
                guard let key, let entryValue, tape[at] == TapePage.end else { return false }
                at += 1
                metadata.append((key, entryValue))
            default:
                return false
            }
        }
    }

    @inline(__always)
    private mutating func readAttributes(_ tape: ByteView, _ at: inout Int) -> Bool {
        let count = Self.word(tape, &at)
        for _ in 0..<count {
            let name = tape[at]
            at += 1
            guard name != TapePage.spelled else { return false }
            let length = Self.word(tape, &at)
            let view = tape[at..<at + length]
            at += length
            switch name {
            case TapeName.type: type = view
            case TapeName.sourceName: sourceName = view
            case TapeName.sourceVersion: sourceVersion = view
            case TapeName.device: device = view
            case TapeName.unit: unit = view
            case TapeName.creationDate: creationDate = view
            case TapeName.startDate: startDate = view
            case TapeName.endDate: endDate = view
            case TapeName.value: value = view
            default: return false
            }
        }
        return true
    }

    @inline(__always)
    private static func word(_ tape: ByteView, _ at: inout Int) -> Int {
        defer { at += 4 }
        return Int(tape.word(at: at))
    }
}
