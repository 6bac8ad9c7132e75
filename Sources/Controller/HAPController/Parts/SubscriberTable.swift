internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

/// The subscribers of an accessory, and the characteristics to which the current session is subscribed for them.
struct SubscriberTable {
    private var subscribers: [UInt64: Subscriber] = [:]
    private var lastNumber: UInt64 = 0
    private var subscribedIDs: Set<CharacteristicID> = []

    var isEmpty: Bool { subscribers.isEmpty }

    /// The numbers of the subscribers that have received the values of a session, in no particular order.
    var startedNumbers: [UInt64] { subscribers.filter(\.value.hasStarted).map(\.key) }

    /// Whether every subscriber has read all changes of the current session.
    var haveReadAll: Bool { subscribers.values.allSatisfy(\.hasReadAll) }

    /// Adds a subscriber; returns its number.
    mutating func add(_ subscriber: Subscriber) -> UInt64 {
        lastNumber += 1
        subscribers[lastNumber] = subscriber
        return lastNumber
    }

    /// Stores the task that starts a subscriber.
    mutating func attach(_ task: Task<Void, Never>, to number: UInt64) {
        subscribers[number]?.startTask = task
    }

    mutating func remove(_ number: UInt64) -> Subscriber? {
        subscribers.removeValue(forKey: number)
    }

    mutating func removeAll() -> [Subscriber] {
        defer { subscribers = [:] }
        return Array(subscribers.values)
    }

    // MARK: Subscriptions of the session

    /// Returns the characteristics of some subscribers, sorted.
    func ids(of numbers: [UInt64]) -> [CharacteristicID] {
        union(of: numbers.compactMap { subscribers[$0] }).sorted()
    }

    /// Returns the characteristics to which the session is not subscribed yet.
    func missingSubscriptions(for ids: [CharacteristicID]) -> [CharacteristicID] {
        ids.filter { !subscribedIDs.contains($0) }
    }

    /// Records that the session is subscribed to characteristics, except for the refused ones.
    mutating func recordSubscription(to ids: some Sequence<CharacteristicID>, except refused: [CharacteristicID: Int64])
    {
        subscribedIDs.formUnion(ids.filter { refused[$0] == nil })
    }

    /// The characteristics to unsubscribe from, sorted; empty if all are still wanted.
    var unwantedSubscriptions: [CharacteristicID] {
        subscribedIDs.subtracting(union(of: subscribers.values)).sorted()
    }

    /// Records that the session is no longer subscribed to characteristics.
    mutating func recordEnd(ofSubscriptionsTo ids: [CharacteristicID]) {
        subscribedIDs.subtract(ids)
    }

    private func union(of subscribers: some Sequence<Subscriber>) -> Set<CharacteristicID> {
        subscribers.reduce(into: []) { $0.formUnion($1.ids) }
    }

    // MARK: Messages to subscribers

    /// Returns the first reason why one of these subscribers cannot start; `nil` if all can.
    func failure(of numbers: [UInt64], refused: [CharacteristicID: Int64]) -> ControllerError? {
        numbers.lazy.compactMap { subscribers[$0]?.failure(refused: refused) }.first
    }

    /// Delivers the values that were read in a session to some subscribers.
    mutating func sessionDidStart(
        for numbers: [UInt64],
        with results: [CharacteristicResult],
        refused: [CharacteristicID: Int64]
    ) {
        for number in numbers {
            subscribers[number]?.sessionDidStart(with: results, refused: refused)
        }
    }

    /// Delivers the value of an event to all subscribers of its characteristic.
    mutating func receive(_ id: CharacteristicID, _ value: CharacteristicValue?) {
        for (number, subscriber) in subscribers where subscriber.ids.contains(id) {
            subscribers[number]?.receive(id, value)
        }
    }

    /// Reports that the database has changed.
    func notifyDatabaseChange() {
        for subscriber in subscribers.values {
            subscriber.mailbox.send(.databaseChanged)
        }
    }

    /// Reports the loss of the session, which ends its subscriptions.
    mutating func sessionDidEnd(_ error: ControllerError) {
        subscribedIDs = []
        for number in subscribers.keys {
            subscribers[number]?.sessionDidEnd(error)
        }
    }

    /// Reports why no session could be opened again.
    mutating func reconnectDidFail(_ error: ControllerError) {
        for number in subscribers.keys {
            subscribers[number]?.reconnectDidFail(error)
        }
    }
}
