internal import Cast

/// The reason why something was not done.
public enum CastSenderError: Error, Sendable, Hashable {
    /// No connection could be opened, for this reason.
    case unreachable(String)
    /// The connection has ended, for this reason.
    case connectionLost(String)
    /// The receiver has not answered within this time.
    case timedOut(Duration)
    /// The receiver has sent something that is not the protocol.
    case malformed(String)
    /// The receiver is not the one with the wanted certificate, or does not prove that it is.
    case untrusted(String)
    /// The session is not connected, or has ended.
    case notConnected
    /// No app runs, or the session is connected to none.
    case noApp
    /// The app cannot be launched, for a reason such as `NOT_FOUND`.
    case launchFailed(String)
    /// The content cannot be loaded, with a number of Google's table of errors if the receiver has sent one.
    case loadFailed(code: Int?)
    /// Another content was loaded meanwhile.
    case loadCancelled
    /// The player cannot do it now, such as skip an ad too early.
    case invalidPlayerState
    /// The receiver refuses the request, for a reason such as `INVALID_COMMAND`.
    case refused(String)
    /// The running app has no channel with this namespace.
    case unsupportedNamespace(String)
    /// The text is not a namespace, which begins with `urn:x-cast:`.
    case invalidNamespace(String)
    /// Another channel of the session has the namespace.
    case namespaceInUse(String)
    /// A value that the caller has passed cannot be used, for this reason.
    case invalidArgument(String)
    /// The message is longer than 65,536 bytes.
    case messageTooLong
    /// The task was cancelled.
    case cancelled

    init(_ refusal: ReceiverRefusal) {
        switch refusal {
        case .launch(let reason): self = .launchFailed(reason)
        case .load(let code): self = .loadFailed(code: code)
        case .loadCancelled: self = .loadCancelled
        case .playerState: self = .invalidPlayerState
        case .request(let reason): self = .refused(reason)
        }
    }
}

extension CastSenderError: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "The receiver cannot be reached: \(reason)."
        case .connectionLost(let reason): "The connection to the receiver has ended: \(reason)."
        case .timedOut(let limit): "The receiver has not answered within \(limit)."
        case .malformed(let reason): "The receiver does not speak the Cast protocol: \(reason)"
        case .untrusted(let reason): "The receiver is not the one that was wanted: \(reason)."
        case .notConnected: "There is no connection to the receiver."
        case .noApp: "No app runs on the receiver."
        case .launchFailed(let reason): "The app cannot be launched: \(reason)."
        case .loadFailed(let code):
            "The content cannot be loaded" + (code.map { ": error \($0)\(Self.name(ofLoadError: $0))." } ?? ".")
        case .loadCancelled: "Another content was loaded instead."
        case .invalidPlayerState: "The player cannot do this now."
        case .refused(let reason): "The receiver refuses the request: \(reason)."
        case .unsupportedNamespace(let namespace): "The running app does not understand \(namespace)."
        case .invalidNamespace(let text): "\"\(text)\" is not a namespace; one begins with \"urn:x-cast:\"."
        case .namespaceInUse(let namespace): "Another channel has the namespace \(namespace)."
        case .invalidArgument(let reason): reason.prefix(1).uppercased() + reason.dropFirst() + "."
        case .messageTooLong: "The message is too long; the protocol allows 65,536 bytes."
        case .cancelled: "It was cancelled."
        }
    }

    /// Some numbers of Google's table of detailed errors.
    private static func name(ofLoadError code: Int) -> String {
        switch code {
        case 102: " (the media cannot be decoded)"
        case 103: " (the network has failed)"
        case 104: " (the source is not supported)"
        case 905: " (there is nothing to play)"
        default: ""
        }
    }
}
