public import HAPCore

/// A thing that is about to happen in a server and can be made to go wrong.
public enum InterferencePoint: Sendable, Hashable {
    /// A connection is about to be taken; with how many are open then.
    case accept(open: Int)
    /// A request is about to be acted on.
    case request(ConnectionID, RequestSubject)
    /// One characteristic is about to be read for a controller, or written or subscribed to by it.
    case item(ConnectionID, CharacteristicID, isWrite: Bool)
    /// A response is about to be sent, as it travels before framing.
    case response(ConnectionID, RequestSubject, [UInt8])
    /// A change is about to be told to a connection, or withheld from it.
    case notice(ConnectionID, CharacteristicID, NoticeAudience)
    /// An event about these characteristics is about to be sent, as it travels before framing.
    case event(ConnectionID, [CharacteristicID], [UInt8])
    /// The TXT record is about to be announced.
    case announcement
}

extension InterferencePoint: CustomStringConvertible {
    /// Where it is; of a message only its length.
    public var description: String {
        switch self {
        case .accept: "accept"
        case .request(let id, let subject): "request \(id) \(subject)"
        case .item(let id, let characteristic, let isWrite): "\(isWrite ? "write" : "read") \(id) of \(characteristic)"
        case .response(let id, let subject, let message): "response \(id) to \(subject), \(message.count) bytes"
        case .notice(let id, let characteristic, _): "change \(id) of \(characteristic)"
        case .event(let id, _, let message): "event \(id), \(message.count) bytes"
        case .announcement: "announcement"
        }
    }
}
