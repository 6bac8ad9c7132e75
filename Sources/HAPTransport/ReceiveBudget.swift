/// How many bytes of unfinished requests several connections may hold together.
///
/// Belongs to one event loop and never leaves it.
package final class ReceiveBudget {
    /// What a connection may hold without being counted, in bytes: more than any request of a pairing.
    package static let uncounted = 8 << 10

    private let limit: Int
    /// How many bytes are held.
    package private(set) var held = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// Counts what one connection holds now in place of what it held before; `false` when that is too much for all.
    func exchange(_ before: inout Int, for count: Int) -> Bool {
        let counted = count > Self.uncounted ? count : 0
        held += counted - before
        before = counted
        return counted == 0 || held <= limit
    }
}
