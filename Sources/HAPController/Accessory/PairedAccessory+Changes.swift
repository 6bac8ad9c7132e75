internal import AccessoryModel
public import HAPCore
internal import HAPTransport
internal import NIOCore

extension PairedAccessory {
    /// How many characteristics one request subscribes to.
    private static let maximumSubscriptionCount = 100

    /// Watches characteristics.
    ///
    /// The first that comes is ``AccessoryChange/connected``, then each present value, then what changes. After the loss
    /// of a session another one is opened, again and again, and what is different then comes as a change. Beyond
    /// ``ControllerConfiguration/maximumPendingChanges`` only the latest value of each characteristic waits.
    ///
    /// The sequence throws ``ControllerError`` when it cannot begin, and when the accessory does not know this controller
    /// any more.
    public func changes(of ids: [CharacteristicID]) -> AccessoryChanges {
        let mailbox = ChangeMailbox(limit: configuration.maximumPendingChanges)
        lastSubscriber += 1
        let number = lastSubscriber
        if case .closed = link {
            mailbox.finish(.failure(.closed))
        } else {
            subscribers[number] = Subscriber(
                ids: Set(ids),
                mailbox: mailbox,
                limit: configuration.maximumPendingChanges
            )
            Task { await begin(number) }
        }
        return AccessoryChanges(
            // Whoever watches keeps the session, even when nobody else knows the accessory any more.
            watch: AccessoryChanges.Watch(mailbox: mailbox) {
                Task { await self.leave(number) }
            }
        )
    }

    private func begin(_ number: UInt64) async {
        guard let subscriber = subscribers[number] else { return }
        do throws(ControllerError) {
            try await tell([number], about: subscriber.ids)
        } catch {
            subscribers[number] = nil
            subscriber.mailbox.finish(.failure(error))
        }
    }

    private func leave(_ number: UInt64) async {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        if subscribers.isEmpty {
            reconnect.rest()
            reconnectTimer?.cancel()
            reconnectTimer = nil
        }
        let wanted = subscribers.values.reduce(into: Set()) { $0.formUnion($1.ids) }
        let unwanted = subscriber.ids.subtracting(wanted).intersection(subscribed)
        guard case .open = link, !unwanted.isEmpty else { return }
        subscribed.subtract(unwanted)
        // An event too many is passed over, so that it does not matter when this fails.
        _ = try? await subscribe(to: unwanted, isOn: false)
    }

    /// Subscribes the session to characteristics, reads them, and tells those who watch them.
    private func tell(_ numbers: [UInt64], about ids: Set<CharacteristicID>) async throws(ControllerError) {
        _ = try await session()
        let session = sessionNumber
        let missing = ids.subtracting(subscribed)
        if !missing.isEmpty {
            let refused = try await subscribe(to: missing, isOn: true)
            guard session == sessionNumber else { throw lostMeanwhile }
            subscribed.formUnion(missing.subtracting(refused.keys))
            try check(refused, for: numbers)
        }
        let results = try await read(ids.sorted())
        guard session == sessionNumber, case .open = link else { throw lostMeanwhile }
        for number in numbers {
            subscribers[number]?.begin(with: results)
        }
    }

    private var lostMeanwhile: ControllerError {
        ControllerError(.peer, at: place ?? AccessoryPlace(host: alias, port: 0))
    }

    /// One that begins learns of what cannot be watched; later, what was watched may be gone.
    private func check(_ refused: [CharacteristicID: Int64], for numbers: [UInt64]) throws(ControllerError) {
        for number in numbers {
            guard let subscriber = subscribers[number], !subscriber.hasBegun else { continue }
            for (id, code) in refused.sorted(by: { $0.key < $1.key }) where subscriber.ids.contains(id) {
                let status = Int32(exactly: code).flatMap(HAPStatus.init)
                throw .requestFailed("the subscription to \(id)", http: 207, status)
            }
        }
    }

    /// Subscribes or unsubscribes, and returns what the accessory refused.
    private func subscribe(
        to ids: Set<CharacteristicID>,
        isOn: Bool
    ) async throws(ControllerError) -> [CharacteristicID: Int64] {
        var refused: [CharacteristicID: Int64] = [:]
        var rest = ids.sorted()[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.maximumSubscriptionCount))
            rest = rest.dropFirst(part.count)
            let answer = try await put(part.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: isOn) })
            for (id, result) in try itemResults(of: answer, for: part, "a subscription") where result.code != 0 {
                refused[id] = result.code
            }
        }
        return refused
    }

    // MARK: Events

    /// Takes the body of an event.
    func received(event body: [UInt8]) {
        let event: CharacteristicResponse
        do throws(ProtocolError) {
            event = try CharacteristicResponse(parsing: body)
        } catch {
            _ = end(over: error)
            return
        }
        let ids = event.items.compactMap(\.address.id)
        let known = database?.accessories.characteristics(ids) ?? [:]
        for item in event.items {
            guard let id = item.address.id, let json = item.value else { continue }
            let value = known.value(from: json, of: id)
            for (number, subscriber) in subscribers where subscriber.ids.contains(id) {
                subscribers[number]?.received(id, value)
            }
        }
    }

    // MARK: Reconnecting

    /// Tells everybody of the loss, and goes about another session when somebody watches.
    func sessionIsLost(_ error: ControllerError) {
        for number in subscribers.keys {
            subscribers[number]?.lost(error)
        }
        if subscribers.values.contains(where: \.hasBegun) {
            perform(reconnect.lost(at: now))
        }
    }

    private func perform(_ action: ReconnectMachine.Action) {
        reconnectTimer?.cancel()
        reconnectTimer = nil
        switch action {
        case .rest:
            break
        case .wait(let deadline):
            let moment = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
            reconnectTimer = eventLoop.scheduleTask(deadline: moment) { [weak self] in
                self?.assumeIsolated { $0.perform($0.reconnect.advance(to: $0.now)) }
            }
        case .open:
            Task { await restore() }
        }
    }

    /// Somebody may have asked for the session before it was opened for those who watch.
    func sessionHasBegun() {
        guard !isRestoring, subscribers.values.contains(where: \.hasBegun) else { return }
        reconnectTimer?.cancel()
        reconnectTimer = nil
        Task { await restore() }
    }

    private func restore() async {
        guard !isRestoring else { return }
        isRestoring = true
        defer { isRestoring = false }
        let numbers = subscribers.filter(\.value.hasBegun).map(\.key)
        guard !numbers.isEmpty else {
            reconnect.rest()
            return
        }
        let ids = numbers.reduce(into: Set()) { $0.formUnion(subscribers[$1]?.ids ?? []) }
        do throws(ControllerError) {
            _ = try await session()
            // What is watched may be another thing now.
            _ = try await accessories()
            try await tell(numbers, about: ids)
        } catch {
            switch error.code {
            case .closed: break
            case .refused: end(error)
            default:
                switch link {
                // Somebody else's opening may fail as well, and sets no timer.
                case .idle, .opening: perform(reconnect.failed(at: now))
                // Its end sets the timer.
                case .open(let connection): connection.close()
                case .closed: break
                }
            }
        }
    }

    private func end(_ error: ControllerError) {
        for subscriber in subscribers.values {
            subscriber.mailbox.finish(.failure(error))
        }
        subscribers = [:]
        reconnect.rest()
    }
}
