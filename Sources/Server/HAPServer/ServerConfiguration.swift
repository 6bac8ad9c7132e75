package import AccessoryModel
public import HAPCore

/// The name, the addresses and the options of a server.
public struct ServerConfiguration: Sendable {
    /// The requested name on the network; a suffix may be appended to make it unique.
    public var name: String
    /// The category that controllers show during pairing.
    public var category: AccessoryCategory
    /// The address to listen on; `nil` means every interface, IPv4 and IPv6.
    public var bindAddress: String?
    /// The port to listen on; 0 chooses a free one at the first start, mostly from 20000 to 32767, and saves it.
    public var port: UInt16
    /// The setup code; `nil` uses the saved one, or generates one.
    ///
    /// Changing the code does not affect pairings.
    public var setupCode: SetupCode?
    /// Whether a number off its step is refused with −70410 instead of rounded.
    public var isStrict: Bool
    /// The maximum number of open connections, at least 64.
    ///
    /// When a new connection exceeds it, the server closes one connection, the first of these that exists: an
    /// unverified connection of the host with the most of them; a session that has been idle for an hour; a session of
    /// a controller that has more than half of all connections; the new connection.
    public var maximumConnections: Int
    /// The device ID at the first start, for example from a file; `nil` generates one.
    ///
    /// Later starts use the saved one: controllers would treat a server with another device ID as a new accessory.
    public var initialDeviceID: DeviceID?
    /// The setup ID at the first start; `nil` generates one.
    public var initialSetupID: SetupID?
    /// The configuration number at the first start, at least 1; `nil` means 1.
    ///
    /// Later starts and replacements raise it when the structure has changed.
    public var initialConfigurationNumber: UInt16?
    /// Whether the accessories are a copy of a real device and are served unchanged, errors included.
    ///
    /// Only unique ids are required. Values that controllers write or behaviors report are still checked against
    /// formats and ranges.
    package var servesVerbatim = false
    /// The number of ports after ``port`` of which the first free one is used if another program listens on ``port``.
    ///
    /// The server keeps the port until it stops.
    package var alternativePortCount: UInt16 = 0
    /// The name of the abstract Unix socket on which the server listens instead of a TCP port; `nil` for TCP.
    ///
    /// Only a controller of the same machine can connect to it, and the server has neither an address nor a port.
    package var socketName: String?
    /// The initial clock of the behaviors; with a paused clock, their results are repeatable.
    package var behaviorClock = BehaviorClock()
    /// The timeouts for handlers.
    package var handlerLimits = HandlerLimits()
    /// The limits for connections.
    package var connectionLimits = ConnectionLimits()

    /// Creates a configuration.
    public init(
        name: String,
        category: AccessoryCategory,
        bindAddress: String? = nil,
        port: UInt16 = 0,
        setupCode: SetupCode? = nil,
        isStrict: Bool = false,
        maximumConnections: Int = 256
    ) {
        self.name = name
        self.category = category
        self.bindAddress = bindAddress
        self.port = port
        self.setupCode = setupCode
        self.isStrict = isStrict
        self.maximumConnections = max(maximumConnections, 64)
    }
}

extension ServerConfiguration {
    /// Throws an error if some controller would not accept the accessories, unless they are served verbatim.
    func check(_ accessories: [Accessory]) throws(ServerError) {
        guard !servesVerbatim else { return }
        let faults = AccessoryValidation.errors(in: accessories)
        guard faults.isEmpty else { throw ServerError(faults) }
    }
}

/// The information about a running server that people need for pairing.
public struct ServerInformation: Sendable, Hashable {
    /// The name that was requested on the network.
    public var name: String
    /// The device ID.
    public var deviceID: DeviceID
    /// The port it listens on.
    public var port: UInt16
    /// The setup code.
    public var setupCode: SetupCode
    /// The text of the QR code.
    public var setupURI: String
    /// The category that controllers show during pairing.
    public var category: AccessoryCategory
    /// Whether a controller is paired.
    public var isPaired: Bool
}
