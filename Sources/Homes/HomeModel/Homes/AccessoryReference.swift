public import HAPCore

/// The location of an accessory on the network.
public struct AccessoryReference: Sendable, Hashable {
    /// The device ID of the server that announces the accessory: the accessory itself or its bridge.
    public var server: DeviceID
    /// The accessory ID in the server.
    public var aid: AccessoryID

    /// Creates a reference.
    public init(server: DeviceID, aid: AccessoryID) {
        self.server = server
        self.aid = aid
    }
}

extension AccessoryReference: CustomStringConvertible {
    /// The text `server/aid`.
    public var description: String {
        "\(server)/\(aid)"
    }
}

extension AccessoryReference: Codable {}
