internal import HealthModel
internal import TextFormats

/// Binds a prepared item to the fifteen columns of `Incoming.columns`, from parameter 2 on.
struct RowBinder {
    let dictionaries: Dictionaries

    /// The identity's first eight bytes as a number: equal for equal identities, cheap to sort by.
    @inline(__always)
    static func key(_ identity: Digest256) -> Int64 { Int64(bitPattern: identity.a.bigEndian) }

    /// Binds and runs `statement`, whose parameter 1 is the row's number.
    @inline(__always)
    func insert(
        _ item: PreparedItem, of page: ItemPage, number: Int64, with statement: UnsafeStatement, keyed: Bool
    ) throws {
        if keyed { statement.bind(17, Self.key(item.identity)) }
        let hasStart = item.start != PreparedItem.absentTime
        statement.bind(1, number)
        statement.bind(2, dictionaries.type(item.type))
        if hasStart { statement.bind(3, item.start) } else { statement.bindNull(3) }
        if item.end != PreparedItem.absentTime {
            statement.bind(4, item.end - (hasStart ? item.start : 0))
        } else {
            statement.bindNull(4)
        }
        statement.bindNull(6)
        switch item.valueKind {
        case 1:
            // A whole number takes fewer bytes as an INTEGER and compares the same.
            if let whole = Int64(exactly: item.number), whole.magnitude < 1 << 53 {
                statement.bind(5, whole)
            } else {
                statement.bind(5, item.number)
            }
            if !item.text.isAbsent { statement.bind(6, text: page.view(item.text)) }
        case 2: statement.bind(5, text: page.view(item.text))
        default: statement.bindNull(5)
        }
        statement.bind(7, dictionaries.descriptor(item.descriptor))
        if item.creation != PreparedItem.absentTime {
            statement.bind(8, item.creation - (hasStart ? item.start : 0))
        } else {
            statement.bindNull(8)
        }
        if item.metadata.isAbsent {
            statement.bindNull(9)
        } else if let set = try dictionaries.metadataSet(page.view(item.metadata)) {
            statement.bind(9, set)
        } else {
            statement.bind(9, text: page.view(item.metadata))
        }
        statement.bind(16, Int64(item.kind.rawValue))
        bind(12, item.extras, page, statement)
        bind(13, item.volatileFields, page, statement)
        bind(14, item.strictKey, page, statement)
        try withUnsafeBytes(of: item.identity) { identity in
            try withUnsafeBytes(of: item.version) { version in
                guard let first = identity.baseAddress, let second = version.baseAddress else { return }
                statement.bind(10, blob: first, 32)
                statement.bind(11, blob: second, 32)
                guard item.detail >= 0, let versionWithoutTrack = page.details[Int(item.detail)].versionWithoutTrack
                else {
                    statement.bindNull(15)
                    try statement.run()
                    return
                }
                try withUnsafeBytes(of: versionWithoutTrack) {
                    if let third = $0.baseAddress { statement.bind(15, blob: third, 32) }
                    try statement.run()
                }
            }
        }
    }

    @inline(__always)
    private func bind(_ index: Int32, _ slice: ByteSlice, _ page: ItemPage, _ statement: UnsafeStatement) {
        if slice.isAbsent { statement.bindNull(index) } else { statement.bind(index, text: page.view(slice)) }
    }
}
