/// What one import takes away from a bucket and adds to it.
struct BucketChange {
    var added = AggregateBuilder()
    var removed = AggregateBuilder()

    /// The aggregate after the change, and whether its extremes are certain: they are not where an extreme of the old
    /// one was taken away, because another record may have had the same value.
    func applied(to old: Aggregate) -> (aggregate: Aggregate, isCertain: Bool) {
        var new = AggregateBuilder(old)
        new.merge(added)
        new.subtract(removed)
        // What was added now stays, so an added extreme is certain.
        let isCertain =
            new.numberCount <= 0
            || ((removed.minimum > new.minimum || added.minimum == new.minimum)
                && (removed.maximum < new.maximum || added.maximum == new.maximum))
        return (new.aggregate, isCertain)
    }
}
