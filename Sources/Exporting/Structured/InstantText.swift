internal import HealthModel
internal import Presentation

/// Instants as JSON strings; the day that was printed last is remembered, because neighbours share it.
final class InstantText {
    private var day = Int64.min
    private var dayText: [UInt8] = []

    /// Appends `"2024-05-01T10:00:00.000Z"`, or `null`.
    @inline(__always)
    func append(_ seconds: Int64?, to out: ByteBuffer) {
        guard let seconds else {
            out.append("null")
            return
        }
        var today = seconds / 86_400
        if seconds % 86_400 < 0 { today -= 1 }
        if today != day {
            day = today
            dayText = [0x22] + ISO8601.string(unixSeconds: seconds).utf8.prefix { $0 != 0x54 } + [0x54]
        }
        let clock = Int(seconds - today * 86_400)
        out.append(dayText)
        out.reserve(16)
        append(clock / 3600, 0x3A, out)
        append(clock / 60 % 60, 0x3A, out)
        append(clock % 60, 0x2E, out)
        out.append("000Z\"")
    }

    @inline(__always)
    private func append(_ number: Int, _ mark: UInt8, _ out: ByteBuffer) {
        out.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
        out.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
        out.append(mark)
    }

    /// An instant as text, or null.
    static func json(_ seconds: Int64?) -> CanonicalJSON { seconds.map { .string(ISO8601.string(unixSeconds: $0)) } ?? .null }

    /// An instant in fractional Unix seconds as text, or null.
    static func json(_ seconds: Double?) -> CanonicalJSON { seconds.map { .string(ISO8601.string(unixSeconds: $0)) } ?? .null }
}
