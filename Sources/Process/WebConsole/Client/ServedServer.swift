package import HAPCore
package import Hosting

/// A server of a running process, as far as commands read it from the API.
package struct ServedServer: Sendable {
    /// The key by which paths of the API name the server.
    package let key: String
    package let name: String
    package let port: UInt16
    package let deviceID: DeviceID?
    package let setupCode: SetupCode?
    package let isPaired: Bool
    package let isAdvertised: Bool

    /// Reads a server from a response of the API.
    init?(_ json: JSONValue) {
        guard let server = json.object, let key = server["key"]?.string, let name = server["name"]?.string,
            let port = server["port"]?.number?.integer(as: UInt16.self)
        else { return nil }
        self.key = key
        self.name = name
        self.port = port
        deviceID = server["deviceID"]?.string.flatMap { DeviceID($0) }
        setupCode = server["setupCode"]?.string.flatMap { SetupCode($0) }
        isPaired = server["paired"]?.bool ?? false
        isAdvertised = server["advertiser"]?.object?["state"]?.string == "advertised"
    }
}

/// A driver of a running process that listens on a port, as far as commands read it from the API.
package struct ListeningDriver: Sendable {
    /// The name of the driver, such as `cast`.
    package let name: String
    /// The name of its accessory.
    package let accessory: String
    package let port: UInt16
    /// The root of the certificates that it shows to peers, as PEM.
    package let certificate: String?

    /// Reads the ports of a driver from a response of the API.
    static func all(_ json: JSONValue) -> [ListeningDriver] {
        guard let driver = json.object, let name = driver["driver"]?.string else { return [] }
        return (driver["endpoints"]?.array ?? [])
            .compactMap { endpoint in
                guard let port = endpoint.string?.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
                return ListeningDriver(
                    name: name,
                    accessory: driver["accessory"]?.string ?? "",
                    port: port,
                    certificate: driver["certificate"]?.string
                )
            }
    }
}

extension RunningProcess {
    /// Returns the servers of the process.
    ///
    /// - Throws: ``HostError`` if the process does not answer with them.
    package func servers() async throws(HostError) -> [ServedServer] {
        guard let servers = try await request("GET", "/api/v1/servers").array else {
            throw .unavailable("The process has not answered with its servers; try again.")
        }
        return servers.compactMap { ServedServer($0) }
    }

    /// Returns the drivers of a server of the process that listen, with their ports.
    ///
    /// - Throws: ``HostError`` if the process does not answer with them.
    package func listeningDrivers(of server: ServedServer) async throws(HostError) -> [ListeningDriver] {
        let path = "/api/v1/servers/\(server.key.percentEncoded)/drivers"
        return try await (request("GET", path).array ?? []).flatMap { ListeningDriver.all($0) }
    }
}
