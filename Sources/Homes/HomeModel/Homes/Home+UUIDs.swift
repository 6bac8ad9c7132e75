public import HAPCore

extension Home {
    /// The namespace of the UUIDs of homes: a random UUID that never changes.
    private static let namespace = HAPUUID(high: 0x6C1D_7E52_9F4B_4A38, low: 0x8B0E_2D5A_71C3_F964)

    /// The UUID of the home, which does not change as long as the id of the home stays the same.
    public var uuid: HAPUUID {
        HAPUUID(name: "home/\(id)", in: Self.namespace)
    }

    /// Returns the UUID of an object, which does not change as long as the object is in the home.
    ///
    /// It is derived from the ids of the home and of the object. A home uses each id only once, for all kinds of
    /// objects together.
    public func uuid<Object>(of id: ObjectID<Object>) -> HAPUUID {
        HAPUUID(name: "home/\(self.id)/\(id)", in: Self.namespace)
    }
}
