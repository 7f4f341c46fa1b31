internal import Foundation
internal import TextFormats

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
    mutating func read(
        _ base: UnsafePointer<UInt8>, from: Int, to: Int, metadata: inout [(key: ByteView, value: ByteView)]
    ) -> Bool {
        var at = from
        guard to - from > 7, base[at] == TapePage.start, base[at + 1] == TapeName.record else { return false }
        at += 2
        guard readAttributes(base, &at) else { return false }
        while true {
            switch base[at] {
            case TapePage.end:
                return type != nil && startDate != nil && endDate != nil
            case TapePage.start:
                guard base[at + 1] == TapeName.metadataEntry else { return false }
                at += 2
                guard Self.word(base, &at) == 2 else { return false }
                var key: ByteView?
                var entryValue: ByteView?
                for _ in 0..<2 {
                    let name = base[at]
                    at += 1
                    let length = name == TapePage.spelled ? -1 : Self.word(base, &at)
                    if name == TapeName.key {
                        key = ByteView(base + at, length)
                    } else if name == TapeName.value {
                        entryValue = ByteView(base + at, length)
                    } else {
                        return false
                    }
                    at += length
                }
                guard let key, let entryValue, base[at] == TapePage.end else { return false }
                at += 1
                metadata.append((key, entryValue))
            default:
                return false
            }
        }
    }

    @inline(__always)
    private mutating func readAttributes(_ base: UnsafePointer<UInt8>, _ at: inout Int) -> Bool {
        let count = Self.word(base, &at)
        for _ in 0..<count {
            let name = base[at]
            at += 1
            guard name != TapePage.spelled else { return false }
            let length = Self.word(base, &at)
            let view = ByteView(base + at, length)
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
    private static func word(_ base: UnsafePointer<UInt8>, _ at: inout Int) -> Int {
        let value = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt32.self)
        at += 4
        return Int(UInt32(littleEndian: value))
    }
}
