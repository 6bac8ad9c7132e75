internal import AccessoryModel
public import HAPCore

extension Home {
    /// The namespace of the UUIDs of homes: a random UUID that never changes.
    private static let namespace = HAPUUID(high: 0x6C1D_7E52_9F4B_4A38, low: 0x8B0E_2D5A_71C3_F964)

    /// The UUID of the home, which does not change as long as the id of the home stays the same.
    public var uuid: HAPUUID {
        Self.uuid(ofHome: id)
    }

    /// Returns the UUID of an object, which does not change as long as the object is in the home.
    ///
    /// It is derived from the ids of the home and of the object. A home uses each id only once, for all kinds of
    /// objects together.
    public func uuid<Object>(of id: ObjectID<Object>) -> HAPUUID {
        Self.uuid(of: id, in: self.id)
    }

    /// Returns the UUID of a home, also of one that was removed.
    package static func uuid(ofHome id: ObjectID<Home>) -> HAPUUID {
        uuid(["home", "\(id)"])
    }

    /// Returns the UUID of an object of a home, also of one that was removed.
    package static func uuid<Object>(of id: ObjectID<Object>, in home: ObjectID<Home>) -> HAPUUID {
        uuid(["home", "\(home)", "\(id)"])
    }

    /// Returns the UUID of a characteristic.
    package static func uuid(of selector: CharacteristicSelector, in home: ObjectID<Home>) -> HAPUUID {
        uuid(["home", "\(home)", "\(selector.service)", "\(selector.type.uuid)"])
    }

    /// Returns the UUID of an action of a scene or of an automation.
    package static func uuid<Owner>(
        ofActionOn selector: CharacteristicSelector,
        of owner: ObjectID<Owner>,
        in home: ObjectID<Home>
    ) -> HAPUUID {
        uuid(["home", "\(home)", "\(owner)", "\(selector.service)", "\(selector.type.uuid)"])
    }

    /// Returns the UUID of the actions of an automation that belong to no scene.
    package static func uuid(ofActionsOf automation: ObjectID<Automation>, in home: ObjectID<Home>) -> HAPUUID {
        uuid(["home", "\(home)", "\(automation)", "actions"])
    }

    /// Returns the UUID of the owner of a home without users.
    package static func uuid(ofImplicitOwnerOf home: ObjectID<Home>) -> HAPUUID {
        uuid(["home", "\(home)", "owner"])
    }

    /// Returns the UUID of an accessory on the network that is in no home.
    package static func uuid(ofDiscovered device: DeviceID) -> HAPUUID {
        uuid(["device", "\(device)"])
    }

    private static func uuid(_ path: [String]) -> HAPUUID {
        HAPUUID(name: path.joined(separator: "/"), in: namespace)
    }
}
