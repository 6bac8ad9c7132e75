public import HAPCore

/// What becomes of a thing that was about to happen.
///
/// What does not fit the thing is the same as `pass`.
public enum Interruption: Sendable, Hashable {
    /// It happens.
    case pass
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
    case insist
}

extension Interruption: CustomStringConvertible {
    /// What becomes of it; of bytes in its place only their count.
    public var description: String {
        switch self {
        case .pass: "pass"
        case .delay(let duration): "delay \(duration)"
        case .drop: "drop"
        case .duplicate: "duplicate"
        case .replace(let bytes): "replace by \(bytes.count) bytes"
        case .transmit(let transmission): "transmit \(transmission)"
        case .hang: "hang"
        case .reset: "reset"
        case .fail(let status): "fail with \(status)"
        case .insist: "insist"
        }
    }
}
