internal import AsyncPrimitives
internal import HAPCore
package import HAPServer
internal import HomeModel
internal import Synchronization

/// Hands what changes in a server of this process on to a world, once there is one that asks for it.
///
/// Made before the server, as its observer.
package final class ServerTap: ServerObserver {
    struct Drain {
        var server: DeviceID
        var mailbox: WorldMailbox
        var ids: Set<CharacteristicID> = []
    }

    private let drain = Mutex<Drain?>(nil)

    package init() {}

    package func observe(_ fact: ServerFact) {
        switch fact {
        case .valueChanged(let id, _, let value, by: _):
            drain.withLock { drain in
                guard let drain, drain.ids.contains(id) else { return }
                drain.mailbox.send(.value(.init(id, of: drain.server), value))
            }
        case .configurationChanged:
            drain.withLock { drain in
                guard let drain else { return }
                drain.mailbox.send(.structureChanged(drain.server))
            }
        case .connectionOpened, .connectionClosed, .sessionVerified, .requestReceived, .responseSent, .peerFault,
            .identifyRequested, .characteristicUsed, .characteristicTold, .eventSent, .eventCoalesced, .handlerFailed,
            .handlerSlow, .handlerTimedOut,
            .pairingAdded, .pairingRemoved, .pairSetupRefused, .pairVerifyRefused, .advertiserChanged, .storeFailed,
            .listeningFailed, .listeningAgain, .interfered, .faultActed, .faultOver:
            break
        }
    }

    /// Hands on what changes from now on, or nothing any more.
    func set(_ new: Drain?) {
        drain.withLock { $0 = new }
    }
}
