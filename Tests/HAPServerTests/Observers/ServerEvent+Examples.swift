import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import TestSupport

extension ServerEvent {
    private static let connection = ConnectionID(7)
    private static let characteristic = CharacteristicID(aid: .primary, iid: .accessoryInformation)

    /// Events of each kind, about connection 7, characteristic 1.1 and the controller of the fixture.
    static let examples: [ServerEvent] = [
        .connectionOpened(connection, peer: "192.0.2.1:50000"),
        .sessionVerified(connection, Fixture.controller.identifier),
        .requestReceived(connection, .put, path: "/characteristics"),
        .characteristicUsed(connection, .write, characteristic),
        .responseSent(connection, .noContent),
        .protocolViolation(connection, ProtocolError(.json, "a brace is missing", at: "PUT /characteristics")),
        .valueChanged(characteristic, .on, true, by: .controller(connection)),
        .identifyRequested(.primary),
        .eventSent(connection, count: 2),
        .characteristicNotified(connection, characteristic, true),
        .eventCoalesced(connection, characteristic),
        .writeRefused(connection, characteristic, .invalidValue), .handlerSlow(characteristic),
        .handlerTimedOut(characteristic),
        .handlerFailed(characteristic, "the relay is stuck"),
        .driverEvent(.primary, DriverEvent("started")),
        .pairSetupStarted(connection),
        .pairSetupRefused(connection, .authentication, failedProofs: 1),
        .pairVerifyRefused(connection, .authentication),
        .pairingAdded(Fixture.controller.identifier, isAdmin: true),
        .pairingRemoved(Fixture.controller.identifier),
        .advertiserChanged(.advertised(name: "Lamp", requested: "Lamp")),
        .advertiserChanged(
            .unavailable(DiscoveryError(.noBus, reason: "No bus.", remedy: "Start one."), retryIn: .seconds(1))
        ),
        .storeWritten(.values, .milliseconds(3)),
        .storeFailed(.full),
        .configurationChanged(2),
        .listeningFailed("the port is taken"),
        .listeningResumed,
        .behaviorTimeChanged(.zero.advanced(by: .seconds(3_600)), scale: 60),
        .faultInjected(.announcement, .drop),
        .faultApplied("latency", on: "accessory 2"),
        .faultFinished("latency"),
        .connectionClosed(connection, .peer),
        .connectionClosed(connection, .network("reset by the peer")),
    ]
}
