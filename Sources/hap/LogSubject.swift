import HAPCore
import HAPServer

/// What a line of the log is about, for ``LineLimiter``: lines about one thing make room for each other only.
enum LogSubject: Sendable, Hashable {
    /// A characteristic has another value.
    case characteristic(CharacteristicID)
    /// Something else occurred, with any connection, controller or object: the name of the fact's case.
    case kind(String)

    /// What a fact is about; `nil` for one that is never told.
    init?(_ event: ServerEvent) {
        switch event {
        case .connectionOpened, .requestReceived, .responseSent, .eventSent, .eventCoalesced, .characteristicUsed,
            .characteristicNotified, .faultInjected, .pairSetupStarted, .storeWritten:
            return nil
        case .connectionClosed(_, .peer), .connectionClosed(_, .protocolViolation), .connectionClosed(_, .timeLimit),
            .connectionClosed(_, .stopping):
            return nil
        case .valueChanged(let id, _, _, _): self = .characteristic(id)
        default: self = .kind(Mirror(reflecting: event).children.first?.label ?? "\(event)")
        }
    }
}
