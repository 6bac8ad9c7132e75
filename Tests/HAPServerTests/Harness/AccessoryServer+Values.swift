import AccessoryModel
import HAPCore

@testable import HAPServer

extension AccessoryServer {
    /// Sets values one after the other in the same turn, even on a busy machine.
    func setAtomically(_ values: [(CharacteristicValue, CharacteristicID)]) {
        for (value, id) in values {
            set(value, for: id)
        }
    }

    /// Ends every subscription to a characteristic, with no request in between.
    func cancelSubscriptions(to id: CharacteristicID) {
        guard let index = database.index(of: id) else { return }
        for connection in connections.all {
            database.subscriptions.unsubscribe(connection.id.subscriber, from: index)
        }
    }

    /// Does several things at one moment: no timer of the server ends between them, however busy the machine is.
    func performAtomically(_ body: @Sendable (isolated AccessoryServer) -> Void) {
        body(self)
    }
}
