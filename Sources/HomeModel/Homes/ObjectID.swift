/// What tells one thing of a home from its others; homes are told apart among all homes.
///
/// The number is never used again when the thing is gone, so that what still names it names nothing else.
public struct ObjectID<Object>: Sendable, Hashable {
    /// The number: 1 or more, in the whole home used once; 0 is the room for the entire home.
    public let rawValue: UInt64

    /// Creates an id from its number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension ObjectID<Room> {
    /// The room that holds what is in no other; it is not among ``Home/rooms``.
    public static var entireHome: ObjectID<Room> { ObjectID(0) }
}

extension ObjectID: Comparable {
    /// Orders by number.
    public static func < (lhs: ObjectID<Object>, rhs: ObjectID<Object>) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

extension ObjectID: CustomStringConvertible {
    /// The number in decimal.
    public var description: String {
        String(rawValue)
    }
}

extension ObjectID: Codable {
    /// Decodes the number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
