/// How much of names and identifiers an export prints.
package enum Provenance: String, Sendable, CaseIterable {
    /// As they are.
    case full
    /// As pseudonyms under the archive's key.
    case hashed
    /// Not at all.
    case none

    /// What `hashed` and `none` leave out unless it is asked for.
    package enum Part: String, Sendable, CaseIterable {
        case routes, clinical
    }
}
