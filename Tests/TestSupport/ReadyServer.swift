import HAPCore

/// A server in the ready file of `hap serve`.
package struct ReadyServer: Equatable, Sendable {
    package let name: String
    package let key: String
    package let deviceID: String
    package let port: UInt16
    package let setupCode: String
    package let setupURI: String
    package let category: UInt64
    package let isPaired: Bool

    /// Reads the file of one server.
    package init(_ file: [UInt8]) throws {
        let servers = try Self.servers(in: file)
        guard servers.count == 1 else { throw TestFailure("the ready file has \(servers.count) servers") }
        self = servers[0]
    }

    /// Reads a file.
    ///
    /// - Throws: ``TestFailure`` when a member is missing or unknown.
    package static func servers(in file: [UInt8]) throws -> [ReadyServer] {
        let file = try JSONValue(parsing: file).object
        guard let file, file.members.map(\.key) == ["servers", "receivers", "console"],
            file["console"] == .null || file["console"]?.string?.hasPrefix("http://127.0.0.1:") == true,
            let servers = file["servers"]?.array
        else { throw TestFailure("the ready file has other members than servers, receivers and console") }
        return try servers.map { try ReadyServer($0.object) }
    }

    private init(_ server: JSONObject?) throws {
        let keys = ["name", "key", "deviceID", "port", "setupCode", "setupURI", "category", "paired"]
        guard let server, server.members.map(\.key) == keys,
            let name = server["name"]?.string,
            let key = server["key"]?.string,
            let deviceID = server["deviceID"]?.string,
            let port = server["port"]?.unsigned.flatMap(UInt16.init(exactly:)),
            let setupCode = server["setupCode"]?.string,
            let setupURI = server["setupURI"]?.string,
            let category = server["category"]?.unsigned,
            let isPaired = server["paired"]?.bool
        else { throw TestFailure("a server in the ready file has other members than \(keys)") }
        self.name = name
        self.key = key
        self.deviceID = deviceID
        self.port = port
        self.setupCode = setupCode
        self.setupURI = setupURI
        self.category = category
        self.isPaired = isPaired
    }
}
