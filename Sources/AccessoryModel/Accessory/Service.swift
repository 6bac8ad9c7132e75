public import HAPCore

/// A declared service of an accessory, before it has an id on a server.
@dynamicMemberLookup
public struct Service: Sendable {
    /// The type, the flags and the characteristics.
    package var description: ServiceDescription
    /// The behavior that changes its values, if any.
    public var behavior: (any Behavior)?

    /// Creates a service.
    public init(
        _ type: ServiceType,
        subtype: String = "",
        characteristics: [Characteristic],
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [ServiceKey] = [],
        behavior: (any Behavior)? = nil,
        iid: InstanceID? = nil
    ) {
        description = ServiceDescription(
            key: ServiceKey(type, subtype: subtype),
            characteristics: characteristics,
            isPrimary: isPrimary,
            isHidden: isHidden,
            linked: linked,
            iid: iid
        )
        self.behavior = behavior
    }

    /// Creates a service of its description.
    package init(_ description: ServiceDescription, behavior: (any Behavior)? = nil) {
        self.description = description
        self.behavior = behavior
    }

    /// A property of the description, such as its characteristics.
    public subscript<Value>(dynamicMember path: WritableKeyPath<ServiceDescription, Value>) -> Value {
        get { description[keyPath: path] }
        _modify { yield &description[keyPath: path] }
    }
}

/// A service without its behavior.
///
/// Its properties are those of a ``Service``.
public struct ServiceDescription: Sendable, Hashable {
    /// The type, with a subtype where an accessory has several of one type.
    ///
    /// Unique in its accessory.
    public var key: ServiceKey
    /// Its properties; each type at most once.
    public var characteristics: [Characteristic]
    /// Whether it is the accessory's main function; at most one is.
    public var isPrimary: Bool
    /// Whether people do not see it.
    public var isHidden: Bool
    /// Other services of the same accessory that this one belongs with.
    public var linked: [ServiceKey]
    /// The required id; `nil` lets the server assign and save one.
    public var iid: InstanceID?
    /// The type as a real device writes it, where that is not a form of HAP; served in place of the type, for accessories
    /// that are served verbatim.
    package var verbatimType: String?

    /// Describes a service.
    package init(
        key: ServiceKey,
        characteristics: [Characteristic],
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [ServiceKey] = [],
        iid: InstanceID? = nil
    ) {
        self.key = key
        self.characteristics = characteristics
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.iid = iid
    }
}

/// The key that identifies a service of an accessory, across restarts and edits.
public struct ServiceKey: Sendable, Hashable {
    /// The service's type.
    public var type: ServiceType
    /// Tells services of one type apart; empty for the only one.
    public var subtype: String

    /// Creates a key.
    public init(_ type: ServiceType, subtype: String = "") {
        self.type = type
        self.subtype = subtype
    }
}

extension Service {
    /// Returns the first service of every accessory, at iid 1, with name and manufacturer.
    ///
    /// `name` and `manufacturer` have at most 64 bytes, `model` 1 to 64, `serialNumber` 2 to 64; `firmware` is
    /// `x[.y[.z]]` with numbers below 2³². A server checks them when it starts, not this function. Name, manufacturer,
    /// model and serial number never change, and `firmware` changes with every update.
    ///
    /// HAP: §11.2
    public static func accessoryInformation(
        name: String,
        manufacturer: String,
        model: String,
        serialNumber: String,
        firmware: String
    ) -> Service {
        Service(
            .accessoryInformation,
            characteristics: [
                Characteristic(cataloged: .identify),
                Characteristic(cataloged: .manufacturer, value: .string(manufacturer)),
                Characteristic(cataloged: .model, value: .string(model)),
                Characteristic(cataloged: .name, value: .string(name)),
                Characteristic(cataloged: .serialNumber, value: .string(serialNumber)),
                Characteristic(cataloged: .firmwareRevision, value: .string(firmware)),
            ],
            iid: .accessoryInformation
        )
    }
}

extension Service {
    /// Returns the service with the version of HAP that a server supports, for the primary accessory only.
    ///
    /// HAP: §11.2
    public static func protocolInformation() -> Service {
        Service(.protocolInformation, characteristics: [Characteristic(cataloged: .version, value: "1.1.0")])
    }
}
