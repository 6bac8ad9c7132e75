public import HAPCore

/// The effect of fault injection on an operation.
///
/// An effect that does not apply to the operation is the same as ``proceed``.
public enum FaultDecision: Sendable, Hashable {
    /// The operation is performed.
    case proceed
    /// The operation is performed later.
    ///
    /// Does not apply to items.
    case delay(Duration)
    /// The operation is omitted without notice.
    ///
    /// Does not apply to items.
    case drop
    /// The message is sent twice.
    ///
    /// Applies to messages.
    case duplicate
    /// These bytes are sent instead of the message; a request is answered with them, and not handled.
    ///
    /// Applies to messages and requests.
    case replace([UInt8])
    /// The message is sent in a modified way.
    ///
    /// Applies to messages.
    case transmit(Transmission)
    /// The request is dropped, and no more data follows on the connection, which stays open.
    ///
    /// Applies to requests.
    case hang
    /// The connection is reset.
    ///
    /// For an announcement, this is the same as ``drop``. Does not apply to items and notifications.
    case reset
    /// The item fails with this status.
    ///
    /// Applies to items.
    case fail(HAPStatus)
    /// A notification is sent although it should not be.
    ///
    /// Applies to notifications.
    case notifyAnyway
}

extension FaultDecision: CustomStringConvertible {
    /// The effect in words; replacement bytes are only counted.
    public var description: String {
        switch self {
        case .proceed: "pass"
        case .delay(let duration): "delay \(duration)"
        case .drop: "drop"
        case .duplicate: "duplicate"
        case .replace(let bytes): "replace with \(bytes.count) bytes"
        case .transmit(let transmission): "transmit \(transmission)"
        case .hang: "hang"
        case .reset: "reset"
        case .fail(let status): "fail with \(status)"
        case .notifyAnyway: "notify anyway"
        }
    }
}

/// A modified transmission of a message.
public struct Transmission: Sendable, Hashable {
    /// The replacement of the message, or `nil` for the message itself.
    public var message: [UInt8]?
    /// The number of times that the message is sent in a row, at least 1.
    public var count: Int
    /// Whether only the first half of the message is sent.
    public var isHalf: Bool
    /// Whether the last frame has a wrong tag; on an unencrypted connection, whether the last byte is changed.
    public var isCorrupt: Bool
    /// The maximum number of bytes of each part that is sent separately, or `nil` to send the whole message at once.
    public var chunkSize: Int?
    /// The effect on the connection after the message.
    public var ending: Ending

    /// An effect on the connection after a message.
    public enum Ending: Sendable, Hashable {
        /// No effect.
        case none
        /// No more data follows, and the connection stays open.
        ///
        /// Applies only after a response.
        case stall
        /// The connection is reset.
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
    /// The modifications in words.
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
        return parts.isEmpty ? "unchanged" : parts.joined(separator: ", ")
    }
}
