/// How many bytes several connections may hold together: of unfinished requests, or of answers that have not left.
///
/// Belongs to one event loop and never leaves it.
package final class ByteBudget {
    /// What a connection may hold of unfinished requests without being counted, in bytes: more than any request of a
    /// pairing.
    package static let uncounted = 8 << 10

    private let limit: Int
    /// How many bytes are held.
    package private(set) var held = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// How many more bytes may be held.
    package var available: Int {
        max(0, limit - held)
    }

    /// Replaces the bytes counted for one connection; returns `false` when the total then exceeds the limit.
    func exchange(_ before: inout Int, for count: Int) -> Bool {
        let counted = count > Self.uncounted ? count : 0
        held += counted - before
        before = counted
        return counted == 0 || held <= limit
    }
}
