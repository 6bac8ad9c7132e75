internal import HAPCore

/// The id of an object, unique in its home; the id of a home is unique among the homes.
///
/// An id is never used again after its object is removed, so an old reference cannot refer to another object.
public struct ObjectID<Object>: Sendable, Hashable {
    /// The number, which is at least 1 and used only once in the home; 0 is the id of the room for the entire home.
    public let rawValue: UInt64

    /// Creates an id from its number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension ObjectID<Room> {
    /// The room for everything that is in no other room; it is not part of ``Home/rooms``.
    public static var entireHome: ObjectID<Room> { ObjectID(0) }
}

extension ObjectID: Comparable {
    /// Compares the numbers.
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

extension ObjectID: StoredAsNumber {
    package var storedNumber: UInt64 { rawValue }
    package init?(storedNumber: UInt64) { self.init(storedNumber) }
}
