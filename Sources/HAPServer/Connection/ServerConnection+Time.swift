internal import HAPCore
internal import HAPTransport

extension ServerConnection {
    /// Whether a request of it has been on its way for too long, or it has been silent for too long without a session.
    ///
    /// Notes that a request is on its way: it has been since it was first seen, so that it is given rather more time
    /// than too little.
    func isOverdue(at now: MonotonicInstant, _ limits: ConnectionLimits) -> Bool {
        if channel.isReceiving {
            guard let since = receivingSince, since >= lastProgress else {
                receivingSince = now
                return false
            }
            return since.advanced(by: session == nil ? limits.requestTime : limits.sessionRequestTime) <= now
        }
        receivingSince = nil
        guard session == nil, !channel.isBusy else { return false }
        let idleTime = pairSetup.isInProgress ? limits.pairSetupIdleTime : limits.idleTime
        return lastProgress.advanced(by: idleTime) <= now
    }
}
