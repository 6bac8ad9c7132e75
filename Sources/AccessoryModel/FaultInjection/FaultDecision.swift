public import HAPCore

/// What becomes of a thing that was about to happen.
///
/// What does not fit the thing is the same as `proceed`.
public enum FaultDecision: Sendable, Hashable {
    /// It happens.
    case proceed
    /// It happens later. Not for items.
    case delay(Duration)
    /// It does not happen, and nobody is told. Not for items.
    case drop
    /// It happens twice. For messages.
    case duplicate
    /// These bytes go in its place. For messages.
    case replace([UInt8])
    /// The message leaves in another way. For messages.
    case transmit(Transmission)
    /// It does not happen, and nothing follows on the connection, which stays open. For requests.
    case hang
    /// The connection is reset. For an announcement the same as `drop`. Not for items and notices.
    case reset
    /// It fails with this status. For items.
    case fail(HAPStatus)
    /// It happens although it should not: who is not to be told is told. For notices.
    case notifyAnyway
}

extension FaultDecision: CustomStringConvertible {
    /// What becomes of it; of bytes in its place only their count.
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

/// How a message leaves when it does not leave as it should.
public struct Transmission: Sendable, Hashable {
    /// What leaves in place of the message; `nil` for the message.
    public var message: [UInt8]?
    /// How often it leaves, one behind the other; at least once.
    public var count: Int
    /// Whether only its first half leaves.
    public var isHalf: Bool
    /// Whether its last frame does not hold what its tag says; in clear, its last byte is another one.
    public var isCorrupt: Bool
    /// How many bytes a piece of it has at most that leaves for itself; `nil` for all at once.
    public var chunkSize: Int?
    /// What follows on the connection.
    public var ending: Ending

    /// What becomes of a connection behind a message.
    public enum Ending: Sendable, Hashable {
        /// It goes on.
        case none
        /// Nothing follows, and it stays open. Only behind a response.
        case stall
        /// It is reset.
        case reset
    }

    /// Creates a transmission; without arguments, the message leaves as it should.
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

    /// The bytes that leave for a message, before framing.
    package func bytes(of original: [UInt8]) -> [UInt8] {
        let one = message ?? original
        let all = count > 1 ? Array(repeatElement(one, count: min(count, 16)).joined()) : one
        return isHalf ? Array(all.prefix(all.count / 2)) : all
    }
}

extension Transmission: CustomStringConvertible {
    /// What is different, in words.
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
