package import HAPCore

/// The reason with which a receiver refuses a request.
package enum ReceiverRefusal: Error, Sendable, Hashable {
    /// An app cannot be launched, such as `NOT_FOUND`.
    case launch(String)
    /// A content cannot be loaded, with a number of Google's table of errors if there is one.
    case load(code: Int?)
    /// Another content was loaded meanwhile.
    case loadCancelled
    /// The player cannot do it in its present state.
    case playerState
    /// The request is not valid, such as `INVALID_COMMAND`.
    case request(String)

    /// Reads an answer; `nil` if it does not refuse the request.
    package init?(_ answer: JSONObject) {
        switch answer.text("type") {
        case "LAUNCH_ERROR": self = .launch(answer.text("reason") ?? "UNKNOWN")
        case "LOAD_FAILED": self = .load(code: answer.integer("detailedErrorCode"))
        case "LOAD_CANCELLED": self = .loadCancelled
        case "INVALID_PLAYER_STATE": self = .playerState
        case "INVALID_REQUEST": self = .request(answer.text("reason") ?? "UNKNOWN")
        case "ERROR":
            let code = answer.integer("detailedErrorCode")
            self = code.map { .load(code: $0) } ?? .request(answer.text("reason") ?? "ERROR")
        default: return nil
        }
    }
}
