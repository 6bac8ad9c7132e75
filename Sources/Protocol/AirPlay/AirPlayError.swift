/// The reason why bytes of a sender are not valid.
package enum AirPlayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An input has more bytes or parts than this limit.
    case tooLong(limit: Int)
    /// An input does not have the form that the protocol requires.
    case malformed(String)

    /// A sentence for a log.
    package var description: String {
        switch self {
        case .tooLong(let limit): "The input is longer than the limit of \(limit)."
        case .malformed(let reason): reason
        }
    }
}
