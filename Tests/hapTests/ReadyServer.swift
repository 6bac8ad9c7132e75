import HAPCore
import Testing

/// The server that a ready file tells of.
struct ReadyServer: Equatable {
    let name: String
    let key: String
    let deviceID: String
    let port: UInt64
    let setupCode: String
    let setupURI: String
    let category: UInt64
    let isPaired: Bool

    /// Reads the file of one server.
    init(_ text: [UInt8]) throws {
        let servers = try Self.servers(in: text)
        #expect(servers.count == 1)
        self = try #require(servers.first)
    }

    /// Reads a file without a console; everything must be there and nothing else.
    static func servers(in text: [UInt8]) throws -> [ReadyServer] {
        let file = try #require(try JSONValue(parsing: text).object)
        #expect(file.members.map(\.key) == ["servers", "console"])
        #expect(file["console"] == .null)
        return try #require(file["servers"]?.array).map { try ReadyServer(#require($0.object)) }
    }

    private init(_ server: JSONObject) throws {
        #expect(
            server.members.map(\.key) == [
                "name", "key", "deviceID", "port", "setupCode", "setupURI", "category", "paired",
            ]
        )
        name = try #require(server["name"]?.string)
        key = try #require(server["key"]?.string)
        deviceID = try #require(server["deviceID"]?.string)
        port = try #require(server["port"]?.unsigned)
        setupCode = try #require(server["setupCode"]?.string)
        setupURI = try #require(server["setupURI"]?.string)
        category = try #require(server["category"]?.unsigned)
        isPaired = try #require(server["paired"]?.bool as Bool?)
    }
}
