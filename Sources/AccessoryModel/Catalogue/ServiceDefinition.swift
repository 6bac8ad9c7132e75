/// What the catalogue knows of a service type.
public struct ServiceDefinition: Sendable, Hashable {
    /// The name for people, such as `Garage Door Opener`.
    public let name: String
    /// The name in files and in Swift, such as `GarageDoorOpener`.
    public let id: String
    /// Other names in use.
    public let aliases: [String]
    /// The type.
    public let type: ServiceType
    /// The characteristics that every such service has.
    public let required: [CharacteristicType]
    /// The characteristics that such a service may have.
    public let optional: [CharacteristicType]

    /// Creates an entry.
    public init(
        name: String,
        id: String,
        aliases: [String] = [],
        type: ServiceType,
        required: [CharacteristicType],
        optional: [CharacteristicType]
    ) {
        self.name = name
        self.id = id
        self.aliases = aliases
        self.type = type
        self.required = required
        self.optional = optional
    }
}
