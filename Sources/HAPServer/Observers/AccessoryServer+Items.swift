internal import HAPCore

extension AccessoryServer {
    /// Notifies an observer that wants items of those of a read.
    func reportItems(of request: CharacteristicReadRequest, from connection: ServerConnection) {
        guard let itemObserver = ports.itemObserver else { return }
        for address in request.addresses {
            if let id = address.id { itemObserver.observe(.characteristicUsed(connection.id, .read, id)) }
        }
    }

    /// Notifies an observer that wants items of those of a write.
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
