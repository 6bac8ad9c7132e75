public import HAPCore

/// Where an accessory is on the network.
public struct AccessoryReference: Sendable, Hashable {
    /// The server that announces it: the accessory itself, or its bridge.
    public var server: DeviceID
    /// Its number in the server.
    public var aid: AccessoryID

    /// Creates a reference.
    public init(server: DeviceID, aid: AccessoryID) {
        self.server = server
        self.aid = aid
    }
}

extension AccessoryReference: CustomStringConvertible {
    /// `server/aid`.
    public var description: String {
        "\(server)/\(aid)"
    }
}

extension AccessoryReference: Codable {
    private enum CodingKeys: String, CodingKey {
        case server, aid
    }
}
