extension RandomAccessCollection {
    /// Returns the position of the first element that meets a condition, or the end if there is none.
    ///
    /// The elements after the first one that meets the condition must meet it, too: only a few are tested.
    @inlinable
    package func firstPosition(where condition: (Element) -> Bool) -> Index {
        var first = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(first, offsetBy: half)
            if condition(self[middle]) {
                length = half
            } else {
                first = index(after: middle)
                length -= half + 1
            }
        }
        return first
    }
}
