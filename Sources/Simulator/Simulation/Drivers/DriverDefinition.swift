package import AccessoryModel
package import Documents

/// The description of a kind of driver: its name, its parameters, and what scenarios can do with it.
///
/// Readers, writers, the file schema and the generated tables are derived from it.
package struct DriverDefinition: Sendable {
    /// The services of an accessory that a driver answers for.
    package enum Ownership: Sendable {
        /// All except Accessory Information and Protocol Information.
        case all
        /// None: its services are simulated, and the driver only talks to peers.
        case none
    }

    /// The name in files, such as `command`.
    package let name: String
    /// The purpose, in one sentence for users.
    package let summary: String
    package let ownership: Ownership
    /// The types of services of which the accessory must have one; empty for any accessory.
    ///
    /// The driver is for the first type that the accessory has: the speaker of a television is a part of it.
    package let services: [ServiceType]
    /// Whether the driver runs programs that a file names, so that not every file may have it.
    package let runsPrograms: Bool
    /// Whether the driver listens for peers, so that a process is ready only when it does.
    package let listens: Bool
    /// The deliberate misbehaviors of every driver of this kind.
    package let faults: [DriverFeature]
    /// The names of the details of events that scenarios name like keys of their own.
    let eventFields: [String]
    /// The file format of the parameters.
    package let format: Format<DriverSetting>
    private let connect: @Sendable (any Sendable, ServiceType, (any Behavior)?, UInt64) -> (any ConnectedBehavior)?

    /// - Parameters:
    ///   - format: The file format of the parameters.
    ///   - connect: Returns the device with which the driver's peers talk, for a service of one of the types; it gets the
    ///     device that is simulated without the driver, or `nil` if none is, and a random seed.
    ///   - features: Returns the events and actions of a driver with these parameters.
    package init<Parameters: Sendable>(
        _ name: String,
        _ summary: String,
        ownership: Ownership,
        services: [ServiceType] = [],
        runsPrograms: Bool = false,
        listens: Bool = false,
        faults: [DriverFeature] = [],
        eventFields: [String] = [],
        format: Format<Parameters>,
        connect: @escaping @Sendable (Parameters, ServiceType, (any Behavior)?, UInt64) -> (any ConnectedBehavior)? = {
            (_, _, _, _) in nil
        },
        features: @escaping @Sendable (Parameters) -> [DriverFeature]
    ) {
        (self.name, self.summary, self.ownership) = (name, summary, ownership)
        (self.services, self.runsPrograms, self.listens) = (services, runsPrograms, listens)
        self.faults = faults
        self.eventFields = eventFields
        self.connect = { parameters, type, behavior, seed in
            (parameters as? Parameters).flatMap { connect($0, type, behavior, seed) }
        }
        self.format = Format(
            schema: format.schema,
            read: { field, reader in
                format.read(field, &reader)
                    .map { parameters in
                        DriverSetting(name, format.write(parameters), parameters, features(parameters))
                    }
            },
            write: \.arguments
        )
    }

    /// Returns the device with which the peers of a driver talk; `nil` if the service has none.
    ///
    /// - Parameters:
    ///   - behavior: The device that is simulated without the driver.
    ///   - seed: The seed of its random numbers.
    package func connected(
        _ setting: DriverSetting,
        _ type: ServiceType,
        _ behavior: (any Behavior)?,
        seed: UInt64
    ) -> (any ConnectedBehavior)? {
        services.contains(type) ? connect(setting.parameters, type, behavior, seed) : nil
    }

    /// Returns the type of the service for which the driver is, of an accessory with services of these types.
    package func type(among types: some Sequence<ServiceType>) -> ServiceType? {
        let types = Set(types)
        return services.first { types.contains($0) }
    }

    /// Returns whether the driver answers for services of a type.
    package func owns(_ type: ServiceType) -> Bool {
        switch ownership {
        case .all: type != .accessoryInformation && type != .protocolInformation
        case .none: false
        }
    }
}

/// The driver of an accessory in a file, with its parameters.
package struct DriverSetting: Sendable, Hashable {
    /// The name of its definition.
    package let name: String
    /// The parameters as they are written.
    package let arguments: DocumentTree
    /// The parameters as the type of the driver.
    package let parameters: any Sendable
    /// Its events and actions.
    package let features: [DriverFeature]
    /// Whether the accessory comes from a file that the named one includes.
    package var isIncluded = false

    init(_ name: String, _ arguments: DocumentTree, _ parameters: any Sendable, _ features: [DriverFeature]) {
        (self.name, self.arguments, self.parameters, self.features) = (name, arguments, parameters, features)
    }

    /// The definition; `nil` if the program has no such driver.
    package var definition: DriverDefinition? { DriverCatalog.definition(named: name) }

    package static func == (left: DriverSetting, right: DriverSetting) -> Bool {
        left.name == right.name && left.arguments == right.arguments && left.isIncluded == right.isIncluded
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(arguments)
    }
}

/// What the driver of an accessory is asked for, with arguments by name.
package struct DriverAction: Sendable, Hashable {
    package let name: String
    package let arguments: [String: String]

    package init(_ name: String, _ arguments: [String: String] = [:]) {
        (self.name, self.arguments) = (name, arguments)
    }
}

/// An event, an action or a fault of a driver.
package struct DriverFeature: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Something that the device reports.
        case event
        /// Something that the device can be asked for.
        case action
        /// A deliberate misbehavior of the driver.
        case fault
    }

    package let kind: Kind
    package let name: String
    /// The meaning, in one sentence for users.
    package let summary: String
    /// The names of the details of an event, or of the arguments of an action; `nil` if any are allowed.
    package let fields: [String]?
    /// The number that a fault has; `nil` if it has none.
    package let number: Number?
    /// Whether the simulated device causes an event as its time passes, and not only a peer.
    package let isTimed: Bool

    /// A number of a fault, such as a code.
    package struct Number: Sendable, Hashable {
        package let name: String
        /// The meaning, in one sentence for users.
        package let summary: String
        package let defaultValue: Double
        package let range: ClosedRange<Double>

        package init(_ name: String, _ summary: String, default defaultValue: Double, in range: ClosedRange<Double>) {
            (self.name, self.summary, self.defaultValue, self.range) = (name, summary, defaultValue, range)
        }
    }

    package init(
        _ kind: Kind,
        _ name: String,
        _ summary: String,
        fields: [String]? = [],
        number: Number? = nil,
        isTimed: Bool = false
    ) {
        (self.kind, self.name, self.summary) = (kind, name, summary)
        (self.fields, self.number, self.isTimed) = (fields, number, isTimed)
    }
}
