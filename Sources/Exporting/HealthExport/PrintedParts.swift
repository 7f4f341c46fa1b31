internal import Basics

/// What an item prints beside its payload, as first stored: offsets of its own, paths, clock times of first beats.
///
/// Paths and beats are handed out in the order in which their elements are written.
final class PrintedParts {
    private let offsets: [(String, JSON)]
    private var paths: [String]
    private let hidesPaths: Bool
    private var firstBeats: [String]
    /// The routes that are to be printed inside the item.
    var routes: ArraySlice<Int64> = []
    /// Where the path is that `replaceItemPath` gave.
    private var replaced: Int?

    /// - Parameter stored: the column `volatile_fields`; nil where there is nothing beside the payload.
    /// - Parameter hidesPaths: whether paths are left out but for the one that `replaceItemPath` gives.
    init(_ stored: JSON?, hidesPaths: Bool = false) {
        self.hidesPaths = hidesPaths
        offsets = stored?["offsets"]?.members ?? []
        func texts(_ one: String, _ many: String) -> [String] {
            if let list = stored?[many] { return list.elements.map { $0.string ?? "" } }
            return (stored?[one]?.string).map { [$0] } ?? []
        }
        paths = texts("path", "paths").reversed()
        firstBeats = texts("firstBeat", "firstBeats").reversed()
    }

    /// The offset with which an attribute of the item itself was printed; nil for the export's.
    func offset(_ attribute: String) -> Int32? {
        offsets.first { $0.0 == attribute }?.1.int.flatMap { Int32(exactly: $0) }
    }

    /// The path of the next `FileReference`; nil where it has none.
    func takePath() -> String? {
        guard let path = paths.popLast(), !path.isEmpty else { return nil }
        return hidesPaths && paths.count != replaced ? nil : path
    }

    /// The first time of the next list of beats.
    func takeFirstBeat() -> String? { firstBeats.popLast() }

    /// The path that a reader takes for the item's own: the first that is not empty.
    var itemPath: String? { paths.last { !$0.isEmpty } }

    /// Gives the item's own path another text.
    func replaceItemPath(_ path: String) {
        if let index = paths.lastIndex(where: { !$0.isEmpty }) {
            paths[index] = path
            replaced = index
        }
    }
}
