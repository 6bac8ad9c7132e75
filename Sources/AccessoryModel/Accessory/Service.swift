public import HAPCore

/// One function of an accessory, as it is declared: before it has an id in a server.
public struct Service: Sendable {
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
    /// What moves its values, if anything does.
    public var behavior: (any Behavior)?
    /// The id it must have; `nil` lets the server assign one and keep it.
    public var iid: InstanceID?
    /// The type as a real device writes it, where that is not a form of HAP; served in place of the type, for accessories
    /// that are served verbatim.
    package var writtenType: String?

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
        self.key = ServiceKey(type, subtype: subtype)
        self.characteristics = characteristics
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.behavior = behavior
        self.iid = iid
    }
}
