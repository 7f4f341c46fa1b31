/// The athlete's order of sources: the setting `sourceOrder`, with names compared as everywhere (`SampleSelection.folded`).
package struct SourceOrder: Sendable {
    private let places: [String: Int]
    /// The place behind all of them.
    package let end: Int

    /// - Parameter names: the preferred one first.
    package init(_ names: [String]) {
        places = Dictionary(
            names.enumerated().map { (SampleSelection.folded($1), $0) }, uniquingKeysWith: { first, _ in first })
        end = names.count
    }

    /// The place of a source, from 0; nil where the athlete does not name it.
    ///
    /// - Parameter source: its name, folded.
    package subscript(source: String) -> Int? { places[source] }
}
