internal import HAPCore

extension AccessoryServer {
    /// Reports the items of a read to an observer that wants them.
    func reportItems(of request: CharacteristicReadRequest, from connection: ServerConnection) {
        guard let itemObserver = ports.itemObserver else { return }
        for address in request.addresses {
            if let id = address.id { itemObserver.observe(.characteristicUsed(connection.id, .read, id)) }
        }
    }

    /// Reports the items of a write to an observer that wants them.
    func reportItems(of request: CharacteristicWriteRequest, from connection: ServerConnection) {
        guard let itemObserver = ports.itemObserver else { return }
        for item in request.items {
            guard let id = item.address.id else { continue }
            if item.value != nil { itemObserver.observe(.characteristicUsed(connection.id, .write, id)) }
            if let ev = item.ev {
                itemObserver.observe(.characteristicUsed(connection.id, ev ? .subscribe : .unsubscribe, id))
            }
        }
    }
}
