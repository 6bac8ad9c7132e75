import HAPServer

extension ServerFact {
    /// The connection that a line about it names, `nil` when it names none.
    var connection: ConnectionID? {
        switch self {
        case .connectionOpened(let id, _), .connectionClosed(let id, _), .sessionVerified(let id, _),
            .requestReceived(let id, _, _), .responseSent(let id, _), .peerFault(let id, _), .eventSent(let id, _),
            .eventCoalesced(let id, _), .characteristicUsed(let id, _, _), .characteristicTold(let id, _, _),
            .pairSetupRefused(let id, _, _), .pairVerifyRefused(let id, _),
            .valueChanged(_, _, _, by: .controller(let id)):
            id
        case .valueChanged(_, _, _, by: .device), .valueChanged(_, _, _, by: .program), .identifyRequested,
            .handlerFailed, .handlerSlow, .handlerTimedOut, .pairingAdded, .pairingRemoved, .advertiserChanged,
            .storeFailed, .configurationChanged, .listeningFailed, .listeningAgain, .interfered, .faultActed,
            .faultOver:
            nil
        }
    }
}
