/// What one import takes away from a bucket and adds to it.
struct BucketChange {
    var count: Int64 = 0
    var numberCount: Int64 = 0
    var coveredSeconds: Int64 = 0
    var sum = BucketSum()
    var extra = ExtraSamples()
    private var addedMinimum = Double.infinity
    private var addedMaximum = -Double.infinity
    private var removedMinimum = Double.infinity
    private var removedMaximum = -Double.infinity

    @inline(__always)
    mutating func add(seconds: Int64, number: Double?) {
        count += 1
        coveredSeconds &+= seconds
        guard let number else { return }
        numberCount += 1
        sum.add(number)
        if number < addedMinimum { addedMinimum = number }
        if number > addedMaximum { addedMaximum = number }
    }

    @inline(__always)
    mutating func remove(seconds: Int64, number: Double?) {
        count -= 1
        coveredSeconds &-= seconds
        guard let number else { return }
        numberCount -= 1
        sum.subtract(number)
        if number < removedMinimum { removedMinimum = number }
        if number > removedMaximum { removedMaximum = number }
    }

    /// The aggregate after the change, and whether its extremes are certain: they are not where an extreme of the old
    /// one was taken away, because another record may have had the same value.
    func applied(to old: Aggregate) -> (aggregate: Aggregate, isCertain: Bool) {
        var new = AggregateBuilder(old)
        new.count += count
        new.numberCount += numberCount
        new.coveredSeconds &+= coveredSeconds
        new.sum.merge(sum)
        new.extra.merge(extra)
        new.minimum = min(new.minimum, addedMinimum)
        new.maximum = max(new.maximum, addedMaximum)
        // What was added now stays, so an added extreme is certain.
        let isCertain =
            new.numberCount <= 0
            || ((removedMinimum > new.minimum || addedMinimum == new.minimum)
                && (removedMaximum < new.maximum || addedMaximum == new.maximum))
        return (new.aggregate, isCertain)
    }
}
