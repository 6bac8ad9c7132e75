public import HAPCore

/// A declared service of an accessory, before it has an id on a server.
@dynamicMemberLookup
public struct Service: Sendable {
    /// The type, the flags and the characteristics.
    package var description: ServiceDescription
    /// The behavior that changes the service's values, if any.
    public var behavior: (any Behavior)?
    /// Whether a driver answers for the service: its writes are not stored before the driver has taken them, and the
    /// service is not reachable before the driver says so.
    package var isDriven = false

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

    /// Creates a service from its description.
    package init(_ description: ServiceDescription, behavior: (any Behavior)? = nil, isDriven: Bool = false) {
        self.description = description
        self.behavior = behavior
        self.isDriven = isDriven
    }

    /// A property of the description, such as its characteristics.
    public subscript<Value>(dynamicMember path: WritableKeyPath<ServiceDescription, Value>) -> Value {
        get { description[keyPath: path] }
        _modify { yield &description[keyPath: path] }
    }
}

/// The properties of a service, except its behavior.
///
/// They are also properties of a ``Service``.
public struct ServiceDescription: Sendable, Hashable {
    /// The type, with a subtype if the accessory has several services of the type.
    ///
    /// The key is unique in its accessory.
    public var key: ServiceKey
    /// The characteristics; each type occurs at most once.
    public var characteristics: [Characteristic]
    /// Whether the service is the accessory's main function; at most one service is.
    public var isPrimary: Bool
    /// Whether the service is hidden from the user.
    public var isHidden: Bool
    /// The linked services, which are in the same accessory.
    public var linked: [ServiceKey]
    /// The required id, or `nil` to let the server assign and save one.
    public var iid: InstanceID?
    /// The type as a real device sends it, if that is not a form that HAP defines.
    ///
    /// In accessories that are served verbatim, it replaces the type.
    package var verbatimType: String?

    /// Creates a description.
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
    /// The text that distinguishes services of the same type; empty if there is only one.
    public var subtype: String

    /// Creates a key.
    public init(_ type: ServiceType, subtype: String = "") {
        self.type = type
        self.subtype = subtype
    }
}

extension Service {
    /// Returns the first service of every accessory, with iid 1.
    ///
    /// `name` and `manufacturer` have at most 64 bytes, `model` has 1 to 64 bytes, and `serialNumber` has 2 to 64
    /// bytes. `firmware` has the form `x[.y[.z]]` with numbers below 2³². A server checks these rules when it starts;
    /// this function does not. Name, manufacturer, model and serial number never change, and `firmware` changes with
    /// every update.
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
    /// Returns the HAP Protocol Information service, with the version of HAP that the server supports.
    ///
    /// Only the primary accessory has it.
    ///
    /// HAP: §11.2
    public static func protocolInformation() -> Service {
        Service(.protocolInformation, characteristics: [Characteristic(cataloged: .version, value: "1.1.0")])
    }
}
