internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore
internal import HAPTransport

extension PairedAccessory {
    /// How many characteristics one request subscribes to.
    private static let maximumSubscriptionCount = 100

    /// Watches characteristics.
    ///
    /// The first that comes is ``AccessoryChange/connected``, then each present value, then what changes. After the loss
    /// of a session another one is opened, again and again, and what is different then comes as a change. Beyond
    /// ``ControllerConfiguration/maximumPendingChanges`` only the latest value of each characteristic waits.
    ///
    /// What the accessory refuses to tell of is named by ``AccessoryChange/refused(_:)`` in each session.
    ///
    /// The sequence throws ``ControllerError`` when it cannot begin, since there is no session or everything is refused,
    /// when the accessory does not know this controller any more, and when the latest values that wait are larger than
    /// ``ControllerConfiguration/maximumPendingBytes``.
    public func changes(of ids: [CharacteristicID]) -> AccessoryChanges {
        let subscriber = Subscriber(
            ids: Set(ids),
            limit: configuration.maximumPendingChanges,
            byteLimit: configuration.maximumPendingBytes
        )
        lastSubscriber += 1
        let number = lastSubscriber
        if case .closed = link {
            subscriber.mailbox.finish(.failure(.closed))
        } else {
            subscribers[number] = subscriber
            listen()
            subscribers[number]?.beginning = Task { await begin(number) }
        }
        return AccessoryChanges(
            // Whoever watches keeps the session, even when nobody else knows the accessory any more.
            watch: AccessoryChanges.Watch(mailbox: subscriber.mailbox) {
                Task { await self.leave(number) }
            }
        )
    }

    private func begin(_ number: UInt64) async {
        do throws(ControllerError) {
            try await tell([number], in: try await session())
        } catch {
            subscribers.removeValue(forKey: number)?.mailbox.finish(.failure(error))
            restWhenUnwatched()
        }
        // Whoever has left meanwhile could not yet.
        await unsubscribeUnwanted()
    }

    private func leave(_ number: UInt64) async {
        guard let subscriber = subscribers.removeValue(forKey: number) else { return }
        subscriber.beginning?.cancel()
        restWhenUnwatched()
        await unsubscribeUnwanted()
    }

    /// Subscribes a session to what some watch, reads it, and tells them.
    func tell(_ numbers: [UInt64], in session: AccessorySession) async throws(ControllerError) {
        // Without it nobody would know of which types the values of the events are.
        _ = try await accessories(in: session)
        let ids = numbers.reduce(into: Set()) { $0.formUnion(subscribers[$1]?.ids ?? []) }
        let refused = try await subscribe(to: ids.subtracting(subscribed), in: session)
        for number in numbers {
            if let error = subscribers[number]?.failure(over: refused) { throw error }
        }
        let results = try await read(ids.sorted(), in: session)
        guard isPresent(session) else { throw ControllerError(.peer, at: session.connection.place) }
        for number in numbers {
            subscribers[number]?.begin(with: results, refused: refused)
        }
    }

    /// Subscribes, and returns what the accessory refused.
    private func subscribe(
        to ids: Set<CharacteristicID>,
        in session: AccessorySession
    ) async throws(ControllerError) -> [CharacteristicID: Int64] {
        var refused: [CharacteristicID: Int64] = [:]
        var rest = ids.sorted()[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.maximumSubscriptionCount))
            rest = rest.dropFirst(part.count)
            let items = part.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: true) }
            let answer = try await put(items, session)
            let results = try itemResults(of: answer, for: part, "a subscription", session)
            guard isPresent(session) else { throw ControllerError(.peer, at: session.connection.place) }
            for id in part {
                if let code = results[id]?.status, code != 0 {
                    refused[id] = code
                } else {
                    subscribed.insert(id)
                }
            }
        }
        return refused
    }

    /// Unsubscribes the session from what nobody watches any more.
    private func unsubscribeUnwanted() async {
        while case .open(let session) = link {
            let wanted = subscribers.values.reduce(into: Set()) { $0.formUnion($1.ids) }
            let part = subscribed.subtracting(wanted).sorted().prefix(Self.maximumSubscriptionCount)
            guard !part.isEmpty else { return }
            // It is asked for in this turn, so that whoever wants one of them from now on is asked for behind it.
            subscribed.subtract(part)
            let items = part.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: false) }
            // An event too many is passed over, so that it does not matter when this fails.
            guard (try? await put(items, session)) != nil else { return }
        }
    }

    /// Takes the body of an event.
    func received(event body: [UInt8], inSession number: UInt64) {
        guard case .open(let session) = link, session.number == number else { return }
        let event: CharacteristicResponse
        do throws(ProtocolError) {
            event = try CharacteristicResponse(parsing: body)
        } catch {
            _ = session.end(over: error)
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
}
