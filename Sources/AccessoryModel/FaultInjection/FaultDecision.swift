public import HAPCore

/// The effect of fault injection on an operation.
///
/// An effect that does not apply to the operation is the same as `proceed`.
public enum FaultDecision: Sendable, Hashable {
    /// It happens.
    case proceed
    /// It happens later. Not for items.
    case delay(Duration)
    /// It is dropped without notice.
    ///
    /// Not for items.
    case drop
    /// It happens twice. For messages.
    case duplicate
    /// These bytes go in its place. For messages.
    case replace([UInt8])
    /// The message is sent in another way.
    ///
    /// For messages.
    case transmit(Transmission)
    /// It is dropped, and nothing follows on the connection, which stays open.
    ///
    /// For requests.
    case hang
    /// The connection is reset. For an announcement the same as `drop`. Not for items and notices.
    case reset
    /// It fails with this status. For items.
    case fail(HAPStatus)
    /// A notification is sent although it should not be.
    ///
    /// For notifications.
    case notifyAnyway
}

extension FaultDecision: CustomStringConvertible {
    /// The effect in words; for replacement bytes only their count.
    public var description: String {
        switch self {
        case .proceed: "pass"
        case .delay(let duration): "delay \(duration)"
        case .drop: "drop"
        case .duplicate: "duplicate"
        case .replace(let bytes): "replace by \(bytes.count) bytes"
        case .transmit(let transmission): "transmit \(transmission)"
        case .hang: "hang"
        case .reset: "reset"
        case .fail(let status): "fail with \(status)"
        case .notifyAnyway: "insist"
        }
    }
}

/// A modified transmission of a message.
public struct Transmission: Sendable, Hashable {
    /// The replacement of the message; `nil` for the message itself.
    public var message: [UInt8]?
    /// The number of times that it is sent in a row, at least one.
    public var count: Int
    /// Whether only its first half is sent.
    public var isHalf: Bool
    /// Whether its last frame has a wrong tag; unencrypted, its last byte is changed.
    public var isCorrupt: Bool
    /// The maximum number of bytes of a piece that is sent separately; `nil` for the whole message.
    public var chunkSize: Int?
    /// The end of the connection.
    public var ending: Ending

    /// The effect on the connection after a message.
    public enum Ending: Sendable, Hashable {
        /// None.
        case none
        /// Nothing follows, and it stays open.
        ///
        /// Only after a response.
        case stall
        /// It is reset.
        case reset
    }

    /// Creates a transmission; by default, the message is sent normally.
    public init(
        message: [UInt8]? = nil,
        count: Int = 1,
        isHalf: Bool = false,
        isCorrupt: Bool = false,
        pieceSize: Int? = nil,
        ending: Ending = .none
    ) {
        self.message = message
        self.count = count
        self.isHalf = isHalf
        self.isCorrupt = isCorrupt
        self.chunkSize = pieceSize
        self.ending = ending
    }

    /// Returns the bytes to send for a message, before framing.
    package func bytes(of original: [UInt8]) -> [UInt8] {
        let one = message ?? original
        let all = count > 1 ? Array(repeatElement(one, count: min(count, 16)).joined()) : one
        return isHalf ? Array(all.prefix(all.count / 2)) : all
    }
}

extension Transmission: CustomStringConvertible {
    /// The differences in words.
    public var description: String {
        var parts: [String] = []
        if let message { parts.append("\(message.count) other bytes") }
        if count > 1 { parts.append("\(count) times") }
        if isHalf { parts.append("the first half") }
        if isCorrupt { parts.append("in a corrupt frame") }
        if let chunkSize { parts.append("in pieces of \(chunkSize) bytes") }
        switch ending {
        case .none: break
        case .stall: parts.append("then nothing")
        case .reset: parts.append("then reset")
        }
        return parts.isEmpty ? "as it should" : parts.joined(separator: ", ")
    }
}
