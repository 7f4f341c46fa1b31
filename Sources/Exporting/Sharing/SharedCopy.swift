internal import Basics

/// What makes of a Health export a copy that others may have: all dates moved by the same whole days, and the ends of
/// tracks left out.
///
/// It is done to the bytes of the files on their way out, so that no place in an export can be forgotten: attributes,
/// texts, the names of files and what is in them.
package struct SharedCopy: Sendable, Equatable {
    /// By how many days dates are moved; nil where they stay.
    package var shiftDays: Int?
    /// What lies within so many metres of a track's ends is left out; nil where tracks stay whole.
    package var trimMetres: Double?

    package init(shiftDays: Int? = nil, trimMetres: Double? = nil) {
        self.shiftDays = shiftDays
        self.trimMetres = trimMetres
    }

    /// Back by one to ten years: dates in the future trouble readers.
    package static func randomShift() -> Int { -Int.random(in: 366...3652) }

    var movesDates: Bool { shiftDays != nil }
    var trimsTracks: Bool { trimMetres != nil }

    /// What was done, but not by how much.
    var json: JSON { .row(["datesMoved": movesDates, "tracksTrimmed": trimsTracks]) }

    /// A text with its dates moved.
    func shifted(_ text: String) -> String { shiftDays.map { DateShift(days: $0).shifted(text) } ?? text }

    /// An instant, in Unix seconds, moved.
    func shifted(_ instant: Int64) -> Int64 { instant + Int64(shiftDays ?? 0) * 86_400 }
}
