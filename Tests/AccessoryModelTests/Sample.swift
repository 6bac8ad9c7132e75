import AccessoryModel
import HAPCore

/// Small accessories, and shortcuts for databases.
enum Sample {
    static let first = CharacteristicType(HAPUUID(high: 0x1111_1111_0000_4000, low: 0x8000_0000_0000_0001))
    static let second = CharacteristicType(HAPUUID(high: 0x2222_2222_0000_4000, low: 0x8000_0000_0000_0002))

    /// Returns a characteristic of a vendor's type.
    static func characteristic(
        _ type: CharacteristicType = first,
        _ permissions: CharacteristicPermissions = [.read, .write, .events],
        format: CharacteristicFormat = .uint8,
        adminOnly: AdminOnlyAccess = [],
        value: CharacteristicValue? = nil
    ) -> Characteristic {
        Characteristic(
            type: type,
            permissions: permissions,
            metadata: CharacteristicMetadata(format: format),
            adminOnly: adminOnly,
            value: value
        )
    }

    static let information = Service.accessoryInformation(
        name: "Sample",
        manufacturer: "Example Works",
        model: "S-1",
        serialNumber: "S1-0001",
        firmware: "1.0.0"
    )

    static func light(subtype: String = "", behavior: (any Behavior)? = nil) -> Service {
        Service(
            .lightbulb,
            subtype: subtype,
            characteristics: [
                Characteristic(cataloged: .on, value: false),
                Characteristic(cataloged: .hue, value: 0),
                Characteristic(cataloged: .saturation, value: 0),
            ],
            behavior: behavior
        )
    }

    /// Returns an accessory with the information service and the given services.
    static func accessory(_ services: [Service], key: String = "sample", aid: AccessoryID? = nil) -> Accessory {
        Accessory(key: key, services: [information] + services, aid: aid)
    }

    /// Returns a database of one accessory with one service, which has the given characteristics.
    static func database(_ characteristics: Characteristic...) throws(ModelError) -> AttributeDatabase {
        try database(Service(.lightbulb, characteristics: characteristics))
    }

    static func database(_ services: Service...) throws(ModelError) -> AttributeDatabase {
        var identifiers = IdentifierMap()
        return try AttributeDatabase([accessory(services)], identifiers: &identifiers)
    }
}

extension AttributeDatabase {
    /// Returns the index of the characteristic of a type, or −1 if the sample has none.
    func position(of type: CharacteristicType) -> Int {
        index(of: type, in: .primary) ?? -1
    }

    /// Returns an item of a write request for the characteristic of a type.
    func item(
        _ type: CharacteristicType,
        value: JSONValue? = nil,
        ev: Bool? = nil,
        authData: String? = nil
    ) -> CharacteristicWriteItem {
        let address = index(of: type, in: .primary).map { CharacteristicAddress(characteristics[$0].id) }
        return CharacteristicWriteItem(
            address ?? CharacteristicAddress(aid: 0, iid: 0),
            value: value,
            ev: ev,
            authData: authData
        )
    }
}

extension WriteContext {
    static let admin = WriteContext(writer: SubscriberID(1), isAdmin: true, isTimed: false)
    static let timed = WriteContext(writer: SubscriberID(1), isAdmin: true, isTimed: true)
    static let guest = WriteContext(writer: SubscriberID(2), isAdmin: false, isTimed: false)
}
