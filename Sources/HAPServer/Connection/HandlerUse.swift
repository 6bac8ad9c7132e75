/// How much of one handler is under way: the reads of one characteristic, or its writes.
struct HandlerUse: Sendable, Hashable {
    /// How many calls have not come back.
    var calls = 0
    /// How many of them have been given up on.
    var overdue = 0
}
