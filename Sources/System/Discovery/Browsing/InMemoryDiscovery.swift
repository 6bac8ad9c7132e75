internal import AsyncPrimitives
internal import Synchronization

/// Announcements of servers to controllers of the same process, without a network.
package final class InMemoryDiscovery: Sendable {
    fileprivate struct State {
        /// The announced servers by their addresses.
        var announced: [String: DiscoveredAccessory] = [:]
        var listeners: [WeakListener] = []
    }

    fileprivate struct WeakListener {
        weak var listener: UpdateListener?
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns the announced servers and then changes, like ``AccessoryBrowser/updates()``.
    package func updates() -> AsyncStream<DiscoveryUpdate> {
        let listener = UpdateListener {}
        state.withLock { state in
            for accessory in state.announced.values.sorted(by: { $0.name < $1.name }) {
                listener.updates.send(.appeared(accessory))
            }
            listener.updates.send(.allForNow)
            state.listeners.removeAll { $0.listener == nil }
            state.listeners.append(WeakListener(listener: listener))
        }
        return AsyncStream { await listener.updates.next() }
    }

    /// Returns an advertiser of a server.
    ///
    /// - Parameter address: The address that the announcement contains, which no other server has.
    package func advertiser(at address: String) -> any Advertiser {
        InMemoryAdvertiser(discovery: self, address: address)
    }

    fileprivate func announce(_ record: ServiceRecord, at address: String) {
        state.withLock { state in
            let known = state.announced[address]
            let names = Set(state.announced.filter { $0.key != address }.values.map(\.name))
            var (name, number) = (record.name, 1)
            while names.contains(name.text) {
                number += 1
                name = record.name.alternative(number)
            }
            let accessory = DiscoveredAccessory(
                name: name.text,
                host: address,
                addresses: [address],
                port: record.port,
                record: record.text
            )
            state.announced[address] = accessory
            guard accessory != known else { return }
            if let known, known.name != accessory.name { state.send(.disappeared(known)) }
            state.send(known?.name == accessory.name ? .changed(accessory) : .appeared(accessory))
        }
    }

    fileprivate func withdraw(_ address: String) {
        state.withLock { state in
            guard let known = state.announced.removeValue(forKey: address) else { return }
            state.send(.disappeared(known))
        }
    }
}

extension InMemoryDiscovery.State {
    fileprivate func send(_ update: DiscoveryUpdate) {
        for listener in listeners { listener.listener?.updates.send(update) }
    }
}

private struct InMemoryAdvertiser: Advertiser {
    let discovery: InMemoryDiscovery
    let address: String

    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) { update(record) }

    func update(_ record: ServiceRecord) { discovery.announce(record, at: address) }

    func withdraw() { discovery.withdraw(address) }

    func firstOutcome() async -> AdvertiserState { .idle }

    func stop() async { withdraw() }
}
