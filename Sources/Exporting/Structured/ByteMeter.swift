/// Counts bytes that another thread writes.
///
/// `@unchecked Sendable`: it is read only after the thread that adds has ended.
final class ByteMeter: @unchecked Sendable {
    private(set) var count = 0

    func add(_ bytes: Int) { count += bytes }
}
