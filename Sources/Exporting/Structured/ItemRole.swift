/// What an item is in a diff or a selection; of several roles the greatest stands.
package enum ItemRole: Int64, Sendable, CaseIterable {
    case appeared = 1
    case disappeared
    case before
    case after
    case constituent
    case replacement

    /// As it stands in an item.
    package var name: String { "\(self)" }
}
