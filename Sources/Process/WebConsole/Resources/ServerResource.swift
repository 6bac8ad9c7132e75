internal import AccessoryModel
internal import Discovery
internal import Documents
internal import HAPCore
internal import HAPServer
internal import Resources

/// A server as the API shows it.
struct ServerResource: Sendable {
    var key: String
    var number: Int
    var name: String
    var deviceID: String
    var category: Int
    var port: Int
    var setupCode: String
    var setupURI: String
    var isPaired: Bool
    var configurationNumber: Int
    var advertiser: AdvertiserResource
    var sessions: Int
    var accessories: Int

    static let format = Format<ServerResource>
        .response(
            "Server",
            [
                .written("key", \.key, .string, "The key by which paths name the server."),
                .written("number", \.number, .count, "The number of the server, which paths can also contain."),
                .written("name", \.name, .string, "The name on the network."),
                .written("deviceID", \.deviceID, .string, "The device ID."),
                .written("category", \.category, .count, "The category that controllers show during pairing."),
                .written("port", \.port, .count, "The port."),
                .written("setupCode", \.setupCode, .string, "The setup code."),
                .written("setupURI", \.setupURI, .string, "The text of the QR code."),
                .written("paired", \.isPaired, .boolean, "Whether a controller is paired."),
                .written(
                    "configurationNumber",
                    \.configurationNumber,
                    .count,
                    "The number that counts the changes of the structure."
                ),
                .written(
                    "advertiser",
                    \.advertiser,
                    AdvertiserResource.format,
                    "Whether controllers can find the server."
                ),
                .written("sessions", \.sessions, .count, "The number of sessions of controllers."),
                .written("accessories", \.accessories, .count, "The number of accessories."),
            ]
        )
}

/// The advertisement of a server.
struct AdvertiserResource: Sendable {
    var state: String
    var message: String

    init(_ state: AdvertiserState) {
        self.state = state.label
        message = state.description
    }

    static let format = Format<AdvertiserResource>
        .response(
            "Advertiser",
            [
                .written(
                    "state",
                    \.state,
                    .string,
                    "One of idle, registering, advertised, unavailable, withdrawing and stopped."
                ),
                .written("message", \.message, .string, "The state in words."),
            ]
        )
}

/// A connection to a server, as the API shows it.
struct SessionResource: Sendable {
    var summary: ConnectionSummary

    static let format = Format<SessionResource>
        .response(
            "Session",
            [
                .written("connection", \.summary.id.rawValue, .id, "The number of the connection."),
                .written("peer", \.summary.peer, .string, "The address and the port of the peer."),
                .written("controller", \.controller, .string, "The verified controller; missing before pair-verify."),
                .written("admin", \.summary.isAdmin, .boolean, "Whether the controller may manage pairings."),
                .written("idle", \.idle, .number, "The seconds since the last request."),
                .written(
                    "subscriptions",
                    \.subscriptions,
                    .list(of: .string),
                    "The characteristics that the controller has subscribed to, as aid.iid."
                ),
            ]
        )

    private var controller: String? { summary.controller?.description }
    private var idle: Double { summary.idleTime / .seconds(1) }
    private var subscriptions: [String] { summary.subscriptions.map(\.description) }
}

/// A paired controller, as the API shows it.
struct PairingResource: Sendable {
    var controller: String
    var isAdmin: Bool

    static let format = Format<PairingResource>
        .response(
            "Pairing",
            [
                .written("controller", \.controller, .string, "The identifier of the controller."),
                .written("admin", \.isAdmin, .boolean, "Whether the controller may manage pairings."),
            ]
        )
}
