public import HAPCore

extension Home {
    /// The namespace of the UUIDs of homes: a random one, fixed for good.
    private static let namespace = HAPUUID(high: 0x6C1D_7E52_9F4B_4A38, low: 0x8B0E_2D5A_71C3_F964)

    /// The UUID of the home, the same as long as the home has its number.
    public var uuid: HAPUUID {
        HAPUUID(name: "home/\(id)", in: Self.namespace)
    }

    /// The UUID of a thing of the home, the same as long as the thing is in the home.
    ///
    /// It follows from the numbers of the home and of the thing: a home gives each number once, whatever kind of thing it is for.
    public func uuid<Object>(of id: ObjectID<Object>) -> HAPUUID {
        HAPUUID(name: "home/\(self.id)/\(id)", in: Self.namespace)
    }
}
