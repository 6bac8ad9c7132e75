import HAPCore
import HAPServer

/// What a line of the log is about, for ``LineLimiter``: lines about one thing make room for each other only.
enum LogSubject: Sendable, Hashable {
    /// A characteristic has another value.
    case characteristic(CharacteristicID)
    /// Something else happened, with whatever connection, controller or object.
    case kind(Kind)

    /// A kind of fact that has lines.
    enum Kind: Sendable {
        case connectionClosed
        case sessionVerified
        case peerFault
        case identifyRequested
        case handlerFailed
        case handlerSlow
        case handlerTimedOut
        case pairingAdded
        case pairingRemoved
        case pairSetupRefused
        case pairVerifyRefused
        case advertiserChanged
        case storeFailed
        case configurationChanged
        case listeningFailed
        case listeningAgain
        case faultActed
        case faultOver
    }

    /// What a fact is about; `nil` for one that is never told.
    init?(_ fact: ServerFact) {
        switch fact {
        case .connectionOpened, .requestReceived, .responseSent, .eventSent, .eventCoalesced, .characteristicUsed,
            .characteristicTold, .interfered:
            return nil
        case .connectionClosed(_, .peer), .connectionClosed(_, .fault), .connectionClosed(_, .timeLimit),
            .connectionClosed(_, .stopping):
            return nil
        case .valueChanged(let id, _, _, _): self = .characteristic(id)
        case .connectionClosed: self = .kind(.connectionClosed)
        case .sessionVerified: self = .kind(.sessionVerified)
        case .peerFault: self = .kind(.peerFault)
        case .identifyRequested: self = .kind(.identifyRequested)
        case .handlerFailed: self = .kind(.handlerFailed)
        case .handlerSlow: self = .kind(.handlerSlow)
        case .handlerTimedOut: self = .kind(.handlerTimedOut)
        case .pairingAdded: self = .kind(.pairingAdded)
        case .pairingRemoved: self = .kind(.pairingRemoved)
        case .pairSetupRefused: self = .kind(.pairSetupRefused)
        case .pairVerifyRefused: self = .kind(.pairVerifyRefused)
        case .advertiserChanged: self = .kind(.advertiserChanged)
        case .storeFailed: self = .kind(.storeFailed)
        case .configurationChanged: self = .kind(.configurationChanged)
        case .listeningFailed: self = .kind(.listeningFailed)
        case .listeningAgain: self = .kind(.listeningAgain)
        case .faultActed: self = .kind(.faultActed)
        case .faultOver: self = .kind(.faultOver)
        }
    }
}
