extension RandomAccessCollection {
    /// The index of the first element of a sorted collection that is not before some place; the end if all are.
    @inline(__always)
    func lowerBound(isBefore: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isBefore(self[middle]) {
                (low, count) = (index(after: middle), count - half - 1)
            } else {
                count = half
            }
        }
        return low
    }
}
