package import AccessoryModel
package import HAPServer
package import Simulation

/// What connects an accessory to something that is not simulated.
///
/// See `docs/drivers.md`.
///
/// All functions are called on the ``ServiceThread``. A driver that is started again is a new one.
package protocol Driver: Sendable {
    /// Runs until it is canceled.
    ///
    /// When it returns or throws, its sockets are closed, and the driver is started again after a while.
    func run() async throws

    /// Performs the writes of one request, and returns a result for each; a missing result is −70402.
    ///
    /// Called at most ``HostedDriver/maximumCalls`` times concurrently, and canceled at the deadline. It starts nothing
    /// for a request after that.
    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult]

    /// Does what a command, a scenario or the page asks of the device.
    ///
    /// - Returns: What was done, as a sentence; empty for the standard one.
    /// - Throws: ``SimulationError`` that says why it cannot be done.
    func perform(_ action: DriverAction) async throws(SimulationError) -> String

    /// Returns what no characteristic shows.
    ///
    /// At most ``HostedDriver/maximumReadings`` are shown, with texts of at most 256 bytes.
    func readings() async -> [DeviceReading]
}

extension Driver {
    package func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] { [] }

    package func perform(_ action: DriverAction) async throws(SimulationError) -> String {
        throw .unsupportedAction(action.name)
    }

    package func readings() async -> [DeviceReading] { [] }
}

extension SimulationError {
    /// The error of an action that a driver does not have.
    package static func unsupportedAction(_ name: String) -> SimulationError {
        SimulationError(
            .refused,
            "The driver cannot do \"\(name.escapingControlCharacters)\".",
            "Name an action that it has."
        )
    }
}

/// A kind of driver that a process has: its description, and how one is made.
package struct DriverKind: Sendable {
    package let definition: DriverDefinition
    let make: @Sendable (any Sendable, DriverPort) -> (any Driver)?

    /// - Parameter make: Creates a driver from the parameters in a file. It performs no input or output.
    package init<Parameters: Sendable>(
        _ definition: DriverDefinition,
        make: @escaping @Sendable (Parameters, DriverPort) -> any Driver
    ) {
        self.definition = definition
        self.make = { parameters, port in (parameters as? Parameters).map { make($0, port) } }
    }
}

/// The accessory of a driver, without the values that change.
package struct DrivenAccessory: Sendable {
    /// The key of the accessory within its server.
    package let key: String
    package private(set) var name: String
    package let services: [Service]
    /// The folder of the file that defines it; `nil` if there is none.
    package let folder: String?

    init(_ accessory: Accessory, folder: String? = nil) {
        self.folder = folder
        (key, services) = (accessory.key, accessory.services)
        name = key
        if let stated = text(.name) { name = stated }
    }

    /// Returns a string of the Accessory Information service, or `nil` if the service lacks it.
    package func text(_ type: CharacteristicType) -> String? {
        let information = services.first { $0.key.type == .accessoryInformation }
        return information?.characteristics.first { $0.type == type }?.value?.string
    }

    /// The keys of the characteristics of the services that the driver answers for, in their order.
    package var drivenKeys: [CharacteristicKey] {
        services.filter(\.isDriven)
            .flatMap { service in
                service.characteristics.map { CharacteristicKey(accessory: key, service: service.key, type: $0.type) }
            }
    }

    /// Returns a characteristic by its key.
    package func characteristic(_ key: CharacteristicKey) -> Characteristic? {
        services.first { $0.key == key.service }?.characteristics.first { $0.type == key.type }
    }
}
