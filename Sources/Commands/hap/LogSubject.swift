import HAPCore
import HAPServer

/// The subject of a line of the log.
///
/// ``LineLimiter`` limits the number of lines of each subject separately.
enum LogSubject: Sendable, Hashable {
    /// The characteristic whose value changed.
    case characteristic(CharacteristicID)
    /// The name of the event's case, for all other events.
    ///
    /// All connections, controllers and objects share the subject.
    case kind(String)

    /// Returns the subject of an event, or `nil` if the event is never printed.
    init?(_ event: ServerEvent) {
        switch event {
        case .connectionOpened, .requestReceived, .responseSent, .eventSent, .eventCoalesced, .characteristicUsed,
            .characteristicNotified, .behaviorTimeChanged, .faultInjected, .pairSetupStarted, .storeWritten:
            return nil
        case .connectionClosed(_, .peer), .connectionClosed(_, .protocolViolation), .connectionClosed(_, .timeLimit),
            .connectionClosed(_, .stopping):
            return nil
        case .valueChanged(let id, _, _, _): self = .characteristic(id)
        case .writeRefused(_, _, let status): self = .kind("writeRefused \(status.rawValue)")
        default: self = .kind(Mirror(reflecting: event).children.first?.label ?? "\(event)")
        }
    }
}
