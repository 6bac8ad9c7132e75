/// A habit of certain vendors' devices that HAP does not ask for, and mostly allows.
package enum QuirkProfile: Sendable, Hashable {
    /// JSON bodies of responses are sent in chunks.
    case chunkedBodies
    /// JSON has blanks and line ends between its tokens.
    case blanksInJSON
    /// Names of headers are written in lower or upper case.
    case oddHeaderCase
    /// Messages leave in pieces of so many bytes, each in a TCP segment of its own.
    case splitSegments(bytes: Int)
    /// The items of an event message are in reverse order.
    case reversedEvents
    /// Changes are collected in another way before they are told.
    case coalescing(EventCollection)
    /// Whoever has written a value is told of it, too.
    case echoedEvents
    /// Values of the format bool are written as `true` and `false`.
    case booleansAsWords

    /// How changes are collected before they are told.
    package enum EventCollection: String, Sendable, Hashable, CaseIterable {
        /// For 250 ms from the first.
        case quarterSecond = "250ms"
        /// For 500 ms from the first.
        case halfSecond = "500ms"
        /// Not at all: a message for each.
        case none

        /// How long changes are collected from the first one on.
        package var duration: Duration {
            switch self {
            case .quarterSecond: .milliseconds(250)
            case .halfSecond: .milliseconds(500)
            case .none: .zero
            }
        }
    }
}
