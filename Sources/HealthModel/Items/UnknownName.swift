/// Names outside the known grammar as readers count them.
package enum UnknownName {
    /// The name under which all names beyond the counted ones are counted together.
    package static let others = "(others)"
}
