internal import HealthModel

/// Types of a complete export whose samples stayed as they were because the import did not look for them.
enum CarriedTypes {
    /// Excluded ones, and ECGs without their folder.
    static func isCarried(_ identifier: String, status: String, read: Int64) -> Bool {
        status == "excluded" || (identifier == SampleType.electrocardiogram && status == "incomplete" && read == 0)
    }
}
