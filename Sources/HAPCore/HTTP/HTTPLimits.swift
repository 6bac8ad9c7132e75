/// How large a message may be before it is refused.
///
/// HAP: §10
package struct HTTPLimits: Sendable, Hashable {
    /// The bytes from the first of the start line to the empty line, included.
    package var maximumHeadBytes: Int
    /// The bytes of a body.
    package var maximumBodyBytes: Int

    /// The bytes of an event's body: nobody has asked for it.
    package var maximumEventBytes: Int

    /// Creates limits; an event may be as large as an answer unless it is said otherwise.
    package init(maximumHeadBytes: Int, maximumBodyBytes: Int, maximumEventBytes: Int? = nil) {
        let maximumEventBytes = maximumEventBytes ?? maximumBodyBytes
        precondition(
            maximumHeadBytes >= 0 && maximumBodyBytes >= 0 && maximumEventBytes >= 0,
            "a limit is not negative"
        )
        self.maximumHeadBytes = maximumHeadBytes
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumEventBytes = maximumEventBytes
    }

    /// The bytes of the body of one kind of message.
    func maximumBytes(of kind: HTTPMessage.Kind) -> Int {
        switch kind {
        case .response: maximumBodyBytes
        case .event: maximumEventBytes
        }
    }

    /// For requests of anybody: 16 KiB and 16 KiB, since no message of a pairing has more than 1 KiB.
    package static let unverified = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 16 << 10)
    /// For requests within a session: 16 KiB and 4 MiB, since a `data` value may be 2 MiB in Base64.
    package static let verified = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 4 << 20)
    /// For what an accessory answers in clear: 16 KiB and 64 KiB, since nobody knows yet whose answers they are.
    package static let unverifiedResponses = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 64 << 10)
    /// For what an accessory says: 16 KiB, 16 MiB, since a bridge's database is large, and 4 MiB for an event, which is
    /// as much as one may write.
    package static let responses = HTTPLimits(
        maximumHeadBytes: 16 << 10,
        maximumBodyBytes: 16 << 20,
        maximumEventBytes: 4 << 20
    )
}
