extension Array {
    /// The index of the first element that does not satisfy a condition that the elements before it satisfy.
    ///
    /// Public, as what is in `ByteView`: other targets get a search of their own.
    /// - Complexity: O(log n).
    @inlinable
    public func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
