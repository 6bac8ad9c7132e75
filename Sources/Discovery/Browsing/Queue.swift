/// First in, first out, each in constant time on average.
struct Queue<Element> {
    private var elements: [Element] = []
    private var start = 0

    /// The element that is taken out next.
    var first: Element? {
        start < elements.count ? elements[start] : nil
    }

    /// How many are in it.
    var count: Int {
        elements.count - start
    }

    /// Puts one at the end.
    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes out the first.
    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        start += 1
        if start > 32, start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Takes out those that are not wanted.
    mutating func keep(_ isWanted: (Element) -> Bool) {
        elements = elements[start...].filter(isWanted)
        start = 0
    }
}
