/// The benchmark cannot go on, or the program answered wrongly.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
