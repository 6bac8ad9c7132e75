internal import AccessoryFiles
package import AccessoryModel
package import Discovery
package import HAPCore
internal import HAPServer

/// Whether servers announce themselves on the network.
package enum AdvertiseMode: String, CaseIterable, Sendable {
    /// Announces a server when a daemon answers.
    ///
    /// The server runs in any case.
    case auto
    /// Announces a server, and fails when no daemon answers.
    case on
    /// Does not announce a server.
    case off
}

/// How the servers of a process are started.
package struct HostSettings: Sendable {
    /// The number of servers of one process.
    package static let serverCountRange = 1...1_000
    /// The maximum number of advertised servers.
    ///
    /// Each one holds a connection to the message bus, which allows 256 for one user.
    package static let maximumAdvertised = 200

    /// The port of the first server.
    ///
    /// If 0, each server picks its own port and keeps it.
    package var port: UInt16 = 0
    /// The address to listen on, or `nil` for all interfaces.
    package var bindAddress: String?
    /// The setup code of all servers, or `nil` for that of each file, or a random one.
    package var setupCode: SetupCode?
    package var advertise = AdvertiseMode.auto
    /// If set, only controllers of this process find and reach the servers, which have neither addresses nor ports.
    ///
    /// The servers send events at once.
    package var inMemoryDiscovery: InMemoryDiscovery?
    /// Whether values are simulated, or `nil` for the default of each file.
    package var simulation: SimulationMode?
    /// Whether a number that is not on a step is refused instead of rounded.
    package var isStrict = false
    /// The seed of the random numbers, or `nil` for that of the scenario, or 0.
    package var seed: UInt64?
    /// The clock that behaviors start with.
    package var behaviorClock = BehaviorClock()
    /// The kinds of drivers that accessories can have.
    package var drivers: @Sendable () -> [DriverKind] = { [] }
    /// Whether a file runs programs although it was not named on the command line.
    package var allowsCommands = false
    /// The folder in which drivers store what they record; `nil` for no recordings.
    package var recordings: String?
    /// Whether a scenario runs on the servers, which observes single characteristics of requests.
    package var runsScenario = false
    /// Whether a home runs on the servers.
    package var runsHome = false

    package init() {}

    /// Checks that the ports and the message bus suffice for a number of servers.
    ///
    /// - Throws: ``HostError`` that says what to change.
    package func checkServerCount(_ count: Int) throws(HostError) {
        guard port == 0 || Int(port) + count - 1 <= Int(UInt16.max) else {
            throw HostError.usage(
                "\(count) servers from port \(port) on need ports above 65535; use a lower port, or 0 for any."
            )
        }
        guard advertise != .on || count <= Self.maximumAdvertised else {
            throw HostError.usage(
                "At most \(Self.maximumAdvertised) servers can be advertised; serve fewer, or use --advertise auto, "
                    + "which advertises only the first ones."
            )
        }
    }

    /// Returns the configuration of a server.
    ///
    /// - Parameters:
    ///   - content: What it serves.
    ///   - offset: The number that is added to the first port.
    ///   - clock: The clock of its devices, or `nil` for that of the settings.
    func configuration(of content: HostedContent, offset: Int, clock: BehaviorClock?) -> ServerConfiguration {
        let document = content.file?.document
        var configuration = ServerConfiguration(
            name: content.name,
            category: content.category,
            bindAddress: bindAddress,
            port: port == 0 ? 0 : UInt16(clamping: Int(port) + offset),
            setupCode: setupCode ?? document?.setupCode,
            isStrict: isStrict
        )
        configuration.initialDeviceID = document?.deviceID
        configuration.initialSetupID = document?.setupID
        configuration.initialConfigurationNumber = document?.configurationNumber
        configuration.behaviorClock = clock ?? behaviorClock
        if inMemoryDiscovery != nil {
            configuration.socketName = "hap-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
            configuration.connectionLimits.eventInterval = .zero
        }
        configuration.servesVerbatim = document?.isVerbatim ?? false
        return configuration
    }
}
