/// Prints instants as exports do, `yyyy-MM-dd HH:mm:ss ±HHMM`, into a buffer.
///
/// Neighbouring records share their day, so the day printed last is kept.
package struct InstantPrinter {
    /// The offset from UTC in seconds that is printed where none is named.
    package let offsetSeconds: Int32
    private var day = Int.min
    private var dayText: (UInt64, UInt16) = (0, 0)

    /// - Parameter offsetSeconds: whole minutes, less than a day.
    package init(offsetSeconds: Int32) { self.offsetSeconds = offsetSeconds }

    /// Appends an instant with the usual offset.
    @inline(__always)
    package mutating func append(_ seconds: Int64, to out: ByteBuffer) {
        append(seconds, offsetSeconds: offsetSeconds, to: out)
    }

    /// Appends an instant with an offset of its own.
    ///
    /// The form has four digits for the year; an instant that has none there under this offset is printed under
    /// the widest one on the other side of UTC.
    package mutating func append(_ seconds: Int64, offsetSeconds offset: Int32, to out: ByteBuffer) {
        let local = seconds + Int64(offset)
        let newDay = Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
        if newDay != day {
            let date = CivilDate.date(daysSince1970: newDay)
            guard (0...9999).contains(date.year) else {
                let other: Int32 = date.year < 0 ? 86_340 : -86_340
                if other != offset { append(seconds, offsetSeconds: other, to: out) }
                return
            }
            day = newDay
            set(date)
        }
        let ofDay = Int(local - Int64(newDay) * 86_400)
        out.reserve(32)
        withUnsafeBytes(of: dayText.0) { out.append($0) }
        withUnsafeBytes(of: dayText.1) { out.append($0) }
        out.append(0x20)
        Self.two(ofDay / 3600, out)
        out.append(0x3A)
        Self.two(ofDay / 60 % 60, out)
        out.append(0x3A)
        Self.two(ofDay % 60, out)
        out.append(0x20)
        out.append(offset < 0 ? 0x2D : 0x2B)
        let minutes = Int(offset.magnitude) / 60
        Self.two(minutes / 60, out)
        Self.two(minutes % 60, out)
    }

    private mutating func set(_ date: (year: Int, month: Int, day: Int)) {
        let digits = [date.year / 1000, date.year / 100 % 10, date.year / 10 % 10, date.year % 10].map {
            UInt8(0x30 + $0)
        }
        let month = [UInt8(0x30 + date.month / 10), UInt8(0x30 + date.month % 10)]
        let head: [UInt8] = digits + [0x2D] + month + [0x2D]
        let tail = [UInt8(0x30 + date.day / 10), UInt8(0x30 + date.day % 10)]
        dayText.0 = head.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        dayText.1 = tail.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
    }

    @inline(__always)
    private static func two(_ value: Int, _ out: ByteBuffer) {
        out.append(0x30 + UInt8(truncatingIfNeeded: value / 10))
        out.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }
}
