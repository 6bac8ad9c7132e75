internal import AccessoryModel
internal import HAPCore
internal import HAPServer
internal import Resources

/// The content of an event as the journal stores it.
///
/// A request of a controller may cost hardly more with a journal than without one. So the events that each request
/// causes are stored in place and in few bytes; all others are stored as objects.
enum StoredContent: Sendable {
    case request(server: UInt32, ConnectionID, HTTPMethod, path: String)
    case response(server: UInt32, ConnectionID, HTTPStatus)
    case eventSent(server: UInt32, ConnectionID, count: Int)
    case valueChanged(server: UInt32, CharacteristicID, CharacteristicType, SmallValue, by: ChangeOrigin)
    case other(Other)

    /// The value of a characteristic, if it is a Boolean or a number.
    enum SmallValue: Sendable {
        case bool(Bool)
        case number(JSONNumber)
    }

    /// An event of another kind.
    final class Other: Sendable {
        let content: ConsoleEvent.Content

        init(_ content: ConsoleEvent.Content) {
            self.content = content
        }
    }

    /// The content.
    var content: ConsoleEvent.Content {
        switch self {
        case .request(let server, let id, let method, let path):
            .server(Int(server), .requestReceived(id, method, path: path))
        case .response(let server, let id, let status): .server(Int(server), .responseSent(id, status))
        case .eventSent(let server, let id, let count): .server(Int(server), .eventSent(id, count: count))
        case .valueChanged(let server, let id, let type, let value, let origin):
            .server(Int(server), .valueChanged(id, type, value.value, by: origin))
        case .other(let other): other.content
        }
    }
}

extension StoredContent.SmallValue {
    /// The value.
    fileprivate var value: CharacteristicValue {
        switch self {
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(number)
        }
    }
}
