/// Names outside the known grammar as readers count them.
package enum UnknownName {
    /// Stands for all that came after as many different names as are counted one by one.
    package static let others = "(others)"
}
