internal import AirPlay
internal import HAPCore
internal import HAPServer

/// How many requests a connection may send before its sender is known, and how long it may be silent or unknown.
struct SenderLimits {
    /// The number of requests of a sender that has no session and is not paired.
    private static let unknownRequests = 200
    /// The time until the first whole request.
    private static let firstRequest = Duration.seconds(10)
    /// The time without a request or a packet.
    private static let silence = Duration.seconds(120)
    /// The same for a session by AirPlay 1, whose sender sends nothing during a pause.
    private static let pause = Duration.seconds(3_600)
    /// The time for which a sender may be unknown and have no session.
    private static let unknown = Duration.seconds(300)

    private var unknownRequestCount = 0
    private var hasRequested = false
    private var lastRequest = MonotonicInstant.now
    private var unknownSince = MonotonicInstant.now

    /// Counts a request; returns `false` if it is one too many.
    mutating func count(requestOf session: AirPlaySession) -> Bool {
        (hasRequested, lastRequest) = (true, .now)
        unknownRequestCount = session.isKnown ? 0 : unknownRequestCount + 1
        return unknownRequestCount <= Self.unknownRequests
    }

    /// Returns whether the connection is to be closed.
    ///
    /// - Parameter lastPacket: When a packet of audio has arrived last.
    mutating func areExceeded(by session: AirPlaySession, lastPacket: MonotonicInstant?) -> Bool {
        if session.isKnown { unknownSince = .now }
        let silence =
            if !hasRequested { Self.firstRequest } else {
                session.isOpen && session.proof == .none ? Self.pause : Self.silence
            }
        let last = max(lastRequest, lastPacket ?? lastRequest)
        return last.duration(to: .now) >= silence || unknownSince.duration(to: .now) >= Self.unknown
    }
}

extension AirPlaySession {
    /// Whether the sender has proved itself, or has a session.
    fileprivate var isKnown: Bool { proof.isEncrypted || isOpen }
}
