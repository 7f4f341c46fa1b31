internal import HealthModel
internal import Presentation

/// Instants as JSON strings; the day that was printed last is remembered, because neighbours share it.
final class InstantText {
    private var day = Int64.min
    /// The whole literal of that day; the digits of the clock are replaced.
    private var literal: [UInt8] = []
    /// Where the clock begins in the literal.
    private var clockAt = 0

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
            literal = Array("\"\(ISO8601.string(unixSeconds: seconds))\"".utf8)
            clockAt = (literal.firstIndex(of: 0x54) ?? 0) + 1
        }
        let clock = Int(seconds &- today &* 86_400)
        write(clock / 3600, at: clockAt)
        write(clock / 60 % 60, at: clockAt + 3)
        write(clock % 60, at: clockAt + 6)
        out.append(literal)
    }

    @inline(__always)
    private func write(_ number: Int, at place: Int) {
        literal[place] = 0x30 + UInt8(truncatingIfNeeded: number / 10)
        literal[place + 1] = 0x30 + UInt8(truncatingIfNeeded: number % 10)
    }

    /// An instant as text, or null.
    static func json(_ seconds: Int64?) -> CanonicalJSON {
        seconds.map { .string(ISO8601.string(unixSeconds: $0)) } ?? .null
    }

    /// An instant in fractional Unix seconds as text, or null.
    static func json(_ seconds: Double?) -> CanonicalJSON {
        seconds.map { .string(ISO8601.string(unixSeconds: $0)) } ?? .null
    }
}
