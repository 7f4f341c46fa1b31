package import Basics

/// What a fuzzer feeds with bytes: one case for each part of the reader that sees an export's bytes first.
///
/// A target traps where a promise is broken (`precondition`); anything it returns from was handled.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The byte filter alone.
    case filter
    /// The whole reader over a bare XML file, with two sizes of chunks that must agree.
    case reader
    /// A zip: finding the export in it, reading its members.
    case zip
    /// The parsers of dates, numbers, devices, beat times and electrocardiograms.
    case values

    package func run(_ bytes: ByteView) {
        switch self {
        case .filter: FilterTarget.run(bytes)
        case .reader: ReaderTarget.run(bytes)
        case .zip: ZipTarget.run(bytes)
        case .values: ValuesTarget.run(bytes)
        }
    }
}
