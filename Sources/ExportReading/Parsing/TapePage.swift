internal import Basics
internal import HealthModel

/// Elements as libxml2 delivered them, copied in a row of bytes: the form in which they change threads.
///
/// An element is `start`, its name, the number of its attributes and each one's name, length and bytes; then its
/// content, texts as `text`, length, bytes; then `end`. Names that records use have a number, others are spelled out.
/// Before the `start` of a record or route inside an item comes `place` with its line and first byte, before its `end`
/// `placeEnd` with the byte behind it.
/// `@unchecked Sendable`: a page has one owner at a time and is handed on through a queue.
final class TapePage: @unchecked Sendable {
    static let start: UInt8 = 1
    static let end: UInt8 = 2
    static let text: UInt8 = 3
    static let place: UInt8 = 4
    static let placeEnd: UInt8 = 5
    /// The name number that says: length and bytes of the name follow.
    static let spelled: UInt8 = 255

    struct Item {
        var from: Int
        var to: Int
        var place: XMLPlace
        /// Set where the item went beyond a cap; its tape is cut there.
        var overCap: QuarantineReason?
    }

    let bytes = ByteBuffer(capacity: 1 << 19)
    var items: [Item] = []
    var exportOffset: Int32?
    var bytePosition: Int64 = 0
}

/// The names that have a number on the tape.
enum TapeName {
    static let all: [StaticString] = [
        "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value", "key",
        "Record", "MetadataEntry", "HeartRateVariabilityMetadataList", "InstantaneousBeatsPerMinute", "bpm", "time",
        "Workout", "WorkoutEvent", "WorkoutStatistics", "WorkoutRoute", "FileReference", "path", "date", "duration",
        "durationUnit", "sum", "average", "minimum", "maximum", "workoutActivityType", "Correlation", "ActivitySummary",
    ]
    /// The same names as texts, made once: an item other than a plain record is read back with them.
    static let texts = all.map(\.description)
    static let type: UInt8 = 0
    static let sourceName: UInt8 = 1
    static let sourceVersion: UInt8 = 2
    static let device: UInt8 = 3
    static let unit: UInt8 = 4
    static let creationDate: UInt8 = 5
    static let startDate: UInt8 = 6
    static let endDate: UInt8 = 7
    static let value: UInt8 = 8
    static let key: UInt8 = 9
    static let record: UInt8 = 10
    static let metadataEntry: UInt8 = 11
    static let workoutRoute: UInt8 = 19

    /// The number of a name; nil for one that has none.
    @inline(__always)
    static func number(of view: ByteView) -> UInt8? {
        guard view.count > 0 else { return nil }
        var slot = hash(view)
        while let number = slots[slot] {
            if ByteView(all[Int(number)]) == view { return number }
            slot = (slot + 1) % slots.count
        }
        return nil
    }

    /// The numbers by a hash of their names, as an open-addressing table.
    private static let slots: [UInt8?] = {
        var slots = [UInt8?](repeating: nil, count: 256)
        for (number, name) in all.enumerated() {
            var slot = hash(ByteView(name))
            while slots[slot] != nil { slot = (slot + 1) % slots.count }
            slots[slot] = UInt8(number)
        }
        return slots
    }()

    @inline(__always)
    private static func hash(_ view: ByteView) -> Int {
        (view.count &* 61 ^ Int(view[0]) &* 7 ^ Int(view[view.count - 1]) &* 29 ^ Int(view[view.count / 2])) & 255
    }
}
