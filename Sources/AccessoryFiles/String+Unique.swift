extension String {
    /// The text, with a number behind it when there is such a one already; the result is added to those.
    func unique(among taken: inout Set<String>) -> String {
        var candidate = self
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(self) \(number)"
            number += 1
        }
        return candidate
    }
}
