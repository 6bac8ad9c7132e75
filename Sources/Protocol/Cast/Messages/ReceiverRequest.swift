package import HAPCore

/// A request of a sender to the receiver itself.
///
/// See `docs/cast.md`.
package enum ReceiverRequest: Sendable, Hashable {
    case getStatus
    case launch(appID: String)
    /// Ends the running app; `nil` means whichever runs.
    case stop(sessionID: String?)
    case setVolume(JSONObject)
    case getAvailability([String])
    /// The request has another type, or lacks something, for this reason.
    case invalid(String)

    package init(_ object: JSONObject) {
        switch object.text("type") {
        case "GET_STATUS": self = .getStatus
        case "LAUNCH": self = .launch(appID: object.text("appId") ?? "")
        case "STOP": self = .stop(sessionID: object.text("sessionId"))
        case "SET_VOLUME": self = object.object("volume").map { .setVolume($0) } ?? .invalid("INVALID_PARAMS")
        case "GET_APP_AVAILABILITY": self = .getAvailability(object.texts("appId") ?? [])
        default: self = .invalid("INVALID_COMMAND")
        }
    }
}
