internal import AccessoryModel
internal import Discovery
internal import Documents
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Resources

/// A server as the API shows it.
struct ServerResource: Sendable {
    var identity: HostedServer.Identity
    var information: ServerInformation
    var configurationNumber: Int
    var advertiser: AdvertiserResource
    var sessions: Int
    var accessories: Int

    static let format = Format<ServerResource>(
        response: "Server",
        .written("key", \.identity.key, .string, "The key by which paths name the server."),
        .written("number", \.identity.id, .count, "The number of the server, which paths can also contain."),
        .written("name", \.information.name, .string, "The name on the network."),
        .written("deviceID", \.information.deviceID.text, .string, "The device ID."),
        .written("category", \.category, .count, "The category that controllers show during pairing."),
        .written("port", \.port, .count, "The port."),
        .written("setupCode", \.information.setupCode.text, .string, "The setup code."),
        .written("setupURI", \.information.setupURI, .string, "The text of the QR code."),
        .written("paired", \.information.isPaired, .boolean, "Whether a controller is paired."),
        .written("configurationNumber", \.configurationNumber, .count, "The number that counts structure changes."),
        .written("advertiser", \.advertiser, AdvertiserResource.format, "Whether controllers can find the server."),
        .written("sessions", \.sessions, .count, "The number of sessions of controllers."),
        .written("accessories", \.accessories, .count, "The number of accessories.")
    )

    private var category: Int { Int(information.category.rawValue) }
    private var port: Int { Int(information.port) }
}

/// The advertisement of a server.
struct AdvertiserResource: Sendable {
    var state: String
    var message: String

    init(_ state: AdvertiserState) {
        self.state = state.label
        message = state.description
    }

    static let format = Format<AdvertiserResource>(
        response: "Advertiser",
        .written("state", \.state, .string, "idle, registering, advertised, unavailable, withdrawing or stopped."),
        .written("message", \.message, .string, "The state in words.")
    )
}

/// A connection to a server, as the API shows it.
struct SessionResource: Sendable {
    var summary: ConnectionSummary

    static let format = Format<SessionResource>(
        response: "Session",
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
        )
    )

    private var controller: String? { summary.controller?.description }
    private var idle: Double { summary.idleTime / .seconds(1) }
    private var subscriptions: [String] { summary.subscriptions.map(\.description) }
}

/// A paired controller, as the API shows it.
struct PairingResource: Sendable {
    var controller: String
    var isAdmin: Bool

    static let format = Format<PairingResource>(
        response: "Pairing",
        .written("controller", \.controller, .string, "The identifier of the controller."),
        .written("admin", \.isAdmin, .boolean, "Whether the controller may manage pairings.")
    )
}
