package import HAPCore

/// What a fault does to a server.
package enum FaultEffect: Sendable, Hashable {
    // Requests and answers
    /// Requests are acted on later, by a time drawn from the range.
    case latency(ClosedRange<Duration>, RequestKind)
    /// Items of reads and writes get this status; what was to be written is not.
    case status(HAPStatus, RequestKind)
    /// Requests are neither acted on nor answered, and nothing follows on their connection.
    case silence(RequestKind)
    /// The first half of an answer leaves, and nothing follows on its connection.
    case halfResponse(RequestKind)
    /// The first half of an answer leaves, then the connection is reset.
    case resetInResponse(RequestKind)
    /// The answer leaves in a frame that its controller cannot open.
    case corruptFrame
    /// Messages of pair-setup are acted on later.
    case slowPairSetup(Duration)
    /// A bridge does not reach a device behind it: its items get −70402, and it sends no events.
    case unreachable

    // Events
    /// Events do not leave.
    case dropEvents
    /// Events leave later.
    case delayEvents(Duration)
    /// Events leave twice.
    case duplicateEvents
    /// Whoever has written a value is told of it, too.
    case echoEvents
    /// Whoever has unsubscribed is told all the same, until its connection ends.
    case eventsAfterUnsubscribe

    // Connections
    /// New connections are reset.
    case refuseConnections
    /// All connections are closed, once.
    case closeConnections
    /// A connection beyond so many is closed at once.
    case connectionLimit(Int)
    /// Nothing reaches the server, and nothing leaves it.
    case networkLoss(NetworkLoss)
    /// The server is away for a time and comes back with a configuration number one higher.
    case reboot(away: Duration)
    /// All pairings are removed: the one fault that deletes something.
    case forgetPairings

    // Announcement
    /// Another configuration number is announced.
    case configurationNumber(UInt16)
    /// Other status flags are announced.
    case statusFlag(UInt8)
    /// Another port is announced.
    case wrongPort(UInt16)
    /// Nothing is announced.
    case vanish

    /// The server behaves as certain vendors' devices do.
    case quirk(QuirkProfile)

    /// Which requests a fault concerns.
    package enum RequestKind: String, Sendable, Hashable, CaseIterable {
        case any, reads, writes
    }

    /// How a network that is lost looks from outside.
    package enum NetworkLoss: String, Sendable, Hashable, CaseIterable {
        /// Connections are reset, and new ones are refused.
        case refuse
        /// Nobody answers any more.
        case silence
    }
}

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
    case coalescing(CoalescingInterval)
    /// Whoever has written a value is told of it, too.
    case echoedEvents
    /// Values of the format bool are written as `true` and `false`.
    case booleansAsWords

    /// How changes are collected before they are told.
    package enum CoalescingInterval: String, Sendable, Hashable, CaseIterable {
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

extension FaultEffect {
    /// The name of its entry in the catalog, such as `latency`.
    package var name: String {
        switch self {
        case .latency: "latency"
        case .status: "status"
        case .silence: "silence"
        case .halfResponse: "halfResponse"
        case .resetInResponse: "resetInResponse"
        case .corruptFrame: "corruptFrame"
        case .slowPairSetup: "slowPairSetup"
        case .unreachable: "unreachable"
        case .dropEvents: "dropEvents"
        case .delayEvents: "delayEvents"
        case .duplicateEvents: "duplicateEvents"
        case .echoEvents: "echoEvents"
        case .eventsAfterUnsubscribe: "eventsAfterUnsubscribe"
        case .refuseConnections: "refuseConnections"
        case .closeConnections: "closeConnections"
        case .connectionLimit: "connectionLimit"
        case .networkLoss: "networkLoss"
        case .reboot: "reboot"
        case .forgetPairings: "forgetPairings"
        case .configurationNumber: "configurationNumber"
        case .statusFlag: "statusFlag"
        case .wrongPort: "wrongPort"
        case .vanish: "vanish"
        case .quirk(.chunkedBodies): "chunkedBodies"
        case .quirk(.blanksInJSON): "blanksInJSON"
        case .quirk(.oddHeaderCase): "oddHeaderCase"
        case .quirk(.splitSegments): "splitSegments"
        case .quirk(.reversedEvents): "reversedEvents"
        case .quirk(.coalescing): "coalescing"
        case .quirk(.echoedEvents): "echoedEvents"
        case .quirk(.booleansAsWords): "booleansAsWords"
        }
    }

    /// How it comes about.
    package var occurrence: FaultOccurrence {
        switch self {
        case .latency, .status, .silence, .halfResponse, .resetInResponse, .corruptFrame, .slowPairSetup, .unreachable,
            .dropEvents, .delayEvents, .duplicateEvents, .echoEvents, .eventsAfterUnsubscribe, .refuseConnections,
            .connectionLimit:
            .repeated
        case .networkLoss, .configurationNumber, .statusFlag, .wrongPort, .vanish, .quirk: .lasting
        case .closeConnections, .reboot, .forgetPairings: .momentary
        }
    }

    /// How long it takes by itself, whatever its limit says; `nil` for what has no time of its own.
    var fixedDuration: Duration? {
        if case .reboot(let away) = self { away } else { nil }
    }
}

/// How a fault comes about, and with that which limits it can have.
package enum FaultOccurrence: Sendable, Hashable {
    /// It acts on one thing after the other: requests, answers, events, connections.
    case repeated
    /// It holds all the time.
    case lasting
    /// It happens once, when it is added.
    case momentary

    /// Whether it can be limited to a count.
    package var allowsCount: Bool {
        self == .repeated
    }

    /// Whether it can be limited to a time.
    package var allowsDuration: Bool {
        self != .momentary
    }
}
