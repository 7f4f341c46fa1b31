/// What recorded a sample, in the order of preference. It follows from the device's hardware alone: names of sources are
/// never interpreted.
package enum SourceKind: Int, Sendable, Comparable {
    case watch, phone, other

    /// - Parameter hardware: the device's field `hardware`, as `Watch6,2`; nil where the export states none.
    package init(hardware: String?) {
        self =
            switch hardware {
            case .some(let name) where name.hasPrefix("Watch"): .watch
            case .some(let name) where name.hasPrefix("iPhone") || name.hasPrefix("iPad"): .phone
            default: .other
            }
    }

    package static func < (a: SourceKind, b: SourceKind) -> Bool { a.rawValue < b.rawValue }
}
