/// What an export says of itself, as far as the benchmark looks at it.
struct ExportAnswer: Decodable {
    /// Of a Health export.
    var itemCount: Int?
    /// Of a structured export, which leaves out what names a person.
    var recordCount: Int?

    /// - Throws: `BenchmarkError` where it has not so many items; characteristics may be left out.
    func require(items: Int) throws {
        let count = itemCount ?? recordCount ?? 0
        let fewest = itemCount == nil ? items - items / 1000 - 10 : items
        guard (fewest...items).contains(count) else { throw BenchmarkError("exported \(count) of \(items) items") }
    }
}
