package import AccessoryModel
public import HAPCore

/// How a server appears and what it allows.
public struct ServerConfiguration: Sendable {
    /// The name on the network, before anything is appended to make it unique.
    public var name: String
    /// What kind of thing it is.
    public var category: AccessoryCategory
    /// The address to listen on; `nil` means every interface, IPv4 and IPv6.
    public var bindAddress: String?
    /// The port to listen on; 0 picks a free one at the first start, mostly from 20000 to 32767, and keeps it.
    public var port: UInt16
    /// The setup code; `nil` takes the kept one, else draws one.
    ///
    /// A changed code leaves the pairings.
    public var setupCode: SetupCode?
    /// Whether a number off its step is refused with −70410 instead of rounded.
    public var isStrict: Bool
    /// How many connections may be open at once, at least 64.
    ///
    /// Beyond it one is closed, the first of these that exists: a connection without a session, of the host that has most of
    /// them; a session that has been idle for an hour; a session of a controller that has more than half of all places;
    /// the new connection.
    public var maximumConnections: Int
    /// The device ID at the first start, as when a file says which one a server has; `nil` draws one.
    ///
    /// Later starts keep what the first one took: a server with another device ID is another one to every controller.
    public var initialDeviceID: DeviceID?
    /// The setup ID at the first start; `nil` draws one.
    public var initialSetupID: SetupID?
    /// The configuration number at the first start, at least 1; `nil` begins with 1.
    ///
    /// Later starts and replacements raise it when the structure is another one.
    public var initialConfigurationNumber: UInt16?
    /// Whether the accessories are a picture of a real device, served as they stand with all their faults.
    ///
    /// Everything that HAP asks of accessories is let pass but what telling them apart needs: unique ids. Values that
    /// controllers write or behaviors report are held against the formats and ranges all the same.
    package var servesVerbatim = false
    /// The clock that behaviors begin with; one that stands still makes what they do the same twice.
    package var behaviorClock = BehaviorClock()
    /// How long a request waits for a handler.
    package var handlerLimits = HandlerLimits()
    /// What a connection may take, and for how long.
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
    /// Throws what keeps accessories from being taken by every controller, unless they are served as they stand.
    func check(_ accessories: [Accessory]) throws(ServerError) {
        guard !servesVerbatim else { return }
        let faults = AccessoryValidation.errors(in: accessories)
        guard faults.isEmpty else { throw ServerError(faults) }
    }
}

/// What a started server tells the people who want to pair with it.
public struct ServerInformation: Sendable, Hashable {
    /// The name it asked for on the network.
    public var name: String
    /// The device ID.
    public var deviceID: DeviceID
    /// The port it listens on.
    public var port: UInt16
    /// The setup code.
    public var setupCode: SetupCode
    /// The text of the QR code.
    public var setupURI: String
    /// What kind of thing it is.
    public var category: AccessoryCategory
    /// Whether a controller is paired.
    public var isPaired: Bool
}
