package import HAPCore

/// The effect of a fault on a server.
package enum FaultEffect: Sendable, Hashable {
    // Requests and responses
    /// Requests are handled after a random delay in the range.
    case latency(ClosedRange<Duration>, RequestKind)
    /// Items of reads and writes get this status; refused writes are not applied.
    case status(HAPStatus, RequestKind)
    /// Requests are neither handled nor answered, and nothing else is sent on their connection.
    case silence(RequestKind)
    /// The first half of a response is sent, and nothing else on its connection.
    case halfResponse(RequestKind)
    /// The first half of a response is sent, then the connection is reset.
    case resetInResponse(RequestKind)
    /// The response is sent in a frame that the controller cannot decrypt.
    case corruptFrame
    /// Messages of pair-setup are handled after a delay.
    case slowPairSetup(Duration)
    /// A bridge does not reach one of its devices: its items get −70402, and it sends no events.
    case unreachable

    // Events
    /// Events are not sent.
    case dropEvents
    /// Events are sent after a delay.
    case delayEvents(Duration)
    /// Events are sent twice.
    case duplicateEvents
    /// The controller that wrote a value receives an event for it, too.
    case echoEvents
    /// A controller that has unsubscribed still receives events, until its connection ends.
    case eventsAfterUnsubscribe

    // Connections
    /// New connections are reset.
    case refuseConnections
    /// All connections are closed, once.
    case closeConnections
    /// A connection that exceeds this number is closed immediately.
    case connectionLimit(Int)
    /// No data reaches the server, and none leaves it.
    case networkLoss(NetworkLoss)
    /// The server is away for a time, and returns with its configuration number incremented by one.
    case reboot(away: Duration)
    /// All pairings are removed: the only fault that deletes data.
    case forgetPairings

    // Announcement
    /// A wrong configuration number is announced.
    case configurationNumber(UInt16)
    /// Wrong status flags are announced.
    case statusFlag(UInt8)
    /// A wrong port is announced.
    case wrongPort(UInt16)
    /// Nothing is announced.
    case vanish

    /// The driver of an accessory misbehaves in the way that it calls by this name, with a number that some faults have.
    case driver(String, Double)

    /// The server behaves like certain vendors' devices.
    case quirk(QuirkProfile)

    /// The requests that a fault affects.
    package enum RequestKind: String, Sendable, Hashable, CaseIterable {
        case any, reads, writes
    }

    /// The behavior of a lost network as seen from outside.
    package enum NetworkLoss: String, Sendable, Hashable, CaseIterable {
        /// Connections are reset, and new ones are refused.
        case refuse
        /// The server does not respond.
        case silence
    }
}

/// A habit of certain vendors' devices that HAP does not require, and in part does not allow.
package enum QuirkProfile: Sendable, Hashable {
    /// JSON bodies of responses are sent in chunks.
    case chunkedBodies
    /// JSON has white space and line ends between its tokens.
    case blanksInJSON
    /// Header names are written in lower or upper case.
    case oddHeaderCase
    /// Messages are sent in pieces of this many bytes, each in a separate TCP segment.
    case splitSegments(bytes: Int)
    /// The items of an event message are in reverse order.
    case reversedEvents
    /// Changes are collected for another interval before they are sent.
    case coalescing(CoalescingInterval)
    /// The controller that wrote a value receives an event for it, too.
    case echoedEvents
    /// Values of the format bool are written as `true` and `false`.
    case booleansAsWords
    /// A request of more bytes is not answered.
    case requestSize(maximum: Int)
    /// A request whose path and query have more bytes is answered with 414.
    case pathSize(maximum: Int)
    /// A read of more characteristics fails as a whole.
    case readSize(maximum: Int)
    /// A request that subscribes to characteristics of several accessories has no effect.
    case subscriptionsByAccessory
    /// A comma follows the last element of a list.
    case trailingCommas
    /// A write that contains `true` has no effect.
    case ignoredTrue
    /// The items of responses to writes have no ids.
    case writesWithoutIDs
    /// A read of a button returns its last press.
    case rememberedPress
    /// A request with Content-Type before Content-Length is answered with 400.
    case lengthBeforeType
    /// A request whose Host has a port is answered with 400.
    case hostWithoutPort
    /// The list of pairings has no separators.
    case pairingsWithoutSeparators

    /// The interval in which changes are collected before they are sent.
    package enum CoalescingInterval: String, Sendable, Hashable, CaseIterable {
        /// For 250 ms from the first change.
        case quarterSecond = "250ms"
        /// For 500 ms from the first change.
        case halfSecond = "500ms"
        /// No interval: each change has its own message.
        case none

        /// The interval from the first change.
        package var duration: Duration {
            switch self {
            case .quarterSecond: .milliseconds(250)
            case .halfSecond: .milliseconds(500)
            case .none: .zero
            }
        }
    }
}

extension FaultEffect {
    /// The name of its entry in the catalog, such as `latency`.
    package var name: String {
        switch self {
        case .quirk(let profile): Self.caseName(of: profile)
        case .driver(let name, _): name
        default: Self.caseName(of: self)
        }
    }

    /// Returns the name of the case of a value, without its associated values.
    private static func caseName(of value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }

    /// The way the fault occurs.
    package var occurrence: FaultOccurrence {
        switch self {
        case .latency, .status, .silence, .halfResponse, .resetInResponse, .corruptFrame, .slowPairSetup, .unreachable,
            .dropEvents, .delayEvents, .duplicateEvents, .echoEvents, .eventsAfterUnsubscribe, .refuseConnections,
            .connectionLimit, .driver:
            .repeated
        case .networkLoss, .configurationNumber, .statusFlag, .wrongPort, .vanish, .quirk: .lasting
        case .closeConnections, .reboot, .forgetPairings: .momentary
        }
    }

    /// The duration that the effect has regardless of the limit; `nil` if there is none.
    var fixedDuration: Duration? {
        if case .reboot(let away) = self { away } else { nil }
    }
}

/// The way a fault occurs, which determines its possible limits.
package enum FaultOccurrence: Sendable, Hashable {
    /// It acts on individual requests, responses, events or connections.
    case repeated
    /// It applies continuously.
    case lasting
    /// It acts once, when it is added.
    case momentary

    /// Whether the fault can be limited to a count.
    package var allowsCount: Bool {
        self == .repeated
    }

    /// Whether the fault can be limited to a duration.
    package var allowsDuration: Bool {
        self != .momentary
    }
}
