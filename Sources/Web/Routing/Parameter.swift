/// What a URL can say beside its path, under the long names of the commands' options.
package enum Parameter: String, CaseIterable, Sendable {
    case identity, kind, at, from, to, chain, all, through, type, by, since, until, source, change, provenance, include
    case format, limit, after
    case date, ecg, q
    case workout, state, splits, last, totals, metric
    case offset
    case fillCreationDates = "fill-creation-dates"
    case timeZone = "time-zone"
    /// A column of the page's tables.
    case sort

    /// Whether it may be given several times.
    var isList: Bool { self == .type || self == .change || self == .include }

    /// Whether its only value is `1`.
    var isFlag: Bool { [.all, .through, .totals, .fillCreationDates].contains(self) }
}
