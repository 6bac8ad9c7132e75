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
