/// Where an item lies in a block, and where what is filled in later.
struct ItemEntry {
    var start: Int
    var end: Int
    /// Where the member `"item_hash":"…",` begins.
    var hashAt: Int
    /// Where 64 hexadecimal digits stand that become a pseudonym; -1 where none do.
    var versionAt: Int
    var sampleID: Int64
    var copyID: Int64

    /// `"item_hash":"`.
    static let hashPrefix = 13
    /// The whole member with the comma that follows it.
    static let hashMember = hashPrefix + 64 + 2
}
