/// One connection of one server, never used again.
public struct ConnectionID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package var subscriber: SubscriberID {
        SubscriberID(rawValue)
    }
}

extension ConnectionID: CustomStringConvertible {
    /// `#` and the number.
    public var description: String {
        "#\(rawValue)"
    }
}
