public import HAPCore

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
