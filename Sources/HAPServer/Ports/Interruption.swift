/// What becomes of a thing that was about to happen.
public enum Interruption: Sendable, Hashable {
    /// It happens.
    case pass
    /// It happens later.
    case delay(Duration)
    /// It does not happen, and nobody is told.
    case drop
    /// It happens twice. Only for messages; elsewhere the same as `pass`.
    case duplicate
    /// These bytes go in its place. Only for messages; elsewhere the same as `pass`.
    case replace([UInt8])
    /// The connection is reset. For an announcement the same as `drop`.
    case reset
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
        case .reset: "reset"
        }
    }
}
