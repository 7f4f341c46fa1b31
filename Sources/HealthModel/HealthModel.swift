/// The vocabulary of HealthProbe: instants, numbers, hashes, devices and the identity rules of an export's items.
///
/// Nothing here reads a file or knows a database. What turns an item of an export into its `identity` and `version`
/// (docs/identity.md) is in `Identity/`, and the worked vectors there test it.
package enum HealthModel {
    /// The program's name and version as written into archives, exports and `--version`.
    package static let program = "healthprobe 0.1.0"
}
