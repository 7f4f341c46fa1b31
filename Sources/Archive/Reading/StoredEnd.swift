/// The end of a copy in SQL, in Unix seconds: the duration behind the start, or the end itself where there is no start.
enum StoredEnd {
    /// Of the row with the strict key's columns; NULL where there is no end.
    static func sql(sample s: String) -> String { "ifnull(\(s).start_seconds, 0) + \(s).duration" }

    /// Of a row of the view `full_record_versions`, whose `end_seconds` is NULL without a start.
    static func sql(fullCopy f: String) -> String {
        """
        iif(\(f).start_seconds IS NULL, (SELECT k.duration FROM record_versions k WHERE k.id = \(f).sample_id), \(f).end_seconds)
        """
    }
}
