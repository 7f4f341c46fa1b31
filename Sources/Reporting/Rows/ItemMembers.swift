package import Basics
package import HealthModel

/// What an item has beside the fields of a record, as the contract's `record` prints it: instants spelled out.
package struct ItemMembers {
    /// A characteristic's value, which is in the export as an attribute of `Me`.
    package var value: JSON?
    /// The strict key's attributes, then the payload's; nil where there are none.
    package var attributes: JSON?
    /// `beats`, `children`, `samples`, `text`: as far as there are any.
    package var others: [(String, JSON)]

    package init(_ item: StoredItem) {
        value = item.value?.spelledOut
        let shown = item.shownAttributes
        attributes = shown.isEmpty ? nil : .object(shown.map { ($0.name, $0.value.spelledOut) })
        others = item.members.map { name, member in (name, name == "children" ? Self.child(member) : member) }
        if item.kind == .workoutRoute {
            others.append(("workout", .object(item.workoutKey.map { ($0.name, $0.value.spelledOut) })))
        }
    }

    /// Children with their names first and the instants of their attributes spelled out at every depth.
    private static func child(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.map(child))
        case .object(let members):
            let named = members.filter { $0.0 == "name" } + members.filter { $0.0 != "name" }
            return .object(
                named.map { name, member in
                    switch (name, member) {
                    case ("attributes", .object(let attributes)):
                        (name, .object(attributes.map { ($0.0, $0.1.spelledOut) }))
                    case ("children", _): (name, child(member))
                    default: (name, member)
                    }
                })
        default: return value
        }
    }
}
