import HAPCore
import HAPServer

/// The subject of a line of the log.
///
/// ``LineLimiter`` limits the number of lines of each subject separately.
enum LogSubject: Sendable, Hashable {
    /// The characteristic whose value changed.
    case characteristic(CharacteristicID)
    /// For all other events: their kind.
    ///
    /// All connections, controllers and objects share the subject.
    case kind(String)

    /// Returns the subject of an event, or `nil` if the event is never printed.
    init?(_ event: ServerEvent) {
        guard event.hasSentence else { return nil }
        switch event {
        case .valueChanged(let id, _, _, _): self = .characteristic(id)
        case .writeRefused(_, _, let status): self = .kind("\(event.kind) \(status.rawValue)")
        default: self = .kind(event.kind)
        }
    }
}
