/// Where an item lies in a block, and where what is filled in later.
struct ItemEntry {
    var start: Int
    var end: Int
    /// Where the member `"item_hash":"…",` begins.
    var hashAt: Int
    /// Where 64 hexadecimal digits stand that become a pseudonym; -1 where none do.
    var versionAt: Int
    /// Where the digits of the semantic fingerprint stand; -1 where there are none.
    var fingerprintAt: Int
    /// What that fingerprint is the hash of, among the block's `fingerprinted`.
    var fingerprinted = 0..<0
    var sampleID: Int64
    var rowID: Int64

    /// `"item_hash":"`.
    static let hashPrefix = 13
    /// The whole member with the comma that follows it.
    static let hashMember = hashPrefix + 64 + 2
}
