internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

/// The subscribers of an accessory, and the characteristics to which the current session is subscribed for them.
struct SubscriberTable {
    /// The maximum number of characteristics in one request to subscribe or unsubscribe.
    static let maximumSubscriptionCount = 100

    private var subscribers: [UInt64: Subscriber] = [:]
    private var lastNumber: UInt64 = 0
    private var subscribedIDs: Set<CharacteristicID> = []

    var isEmpty: Bool { subscribers.isEmpty }

    /// The numbers of the subscribers that have received the values of a session, in no particular order.
    var startedNumbers: [UInt64] { subscribers.filter(\.value.hasStarted).map(\.key) }

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

    /// Returns the characteristics to which the session is not subscribed yet, split into parts that fit into one
    /// request.
    func subscriptions(for ids: [CharacteristicID]) -> [[CharacteristicID]] {
        let missing = ids.filter { !subscribedIDs.contains($0) }
        return stride(from: 0, to: missing.count, by: Self.maximumSubscriptionCount)
            .map { Array(missing[$0...].prefix(Self.maximumSubscriptionCount)) }
    }

    /// Records that the session is subscribed to characteristics, except for the refused ones.
    mutating func recordSubscription(to ids: [CharacteristicID], except refused: [CharacteristicID: Int64]) {
        subscribedIDs.formUnion(ids.filter { refused[$0] == nil })
    }

    /// Returns the next characteristics to unsubscribe from, and counts them as unsubscribed; empty if all are still
    /// wanted.
    mutating func dequeueUnwanted() -> [CharacteristicID] {
        let unwanted = subscribedIDs.subtracting(union(of: subscribers.values)).sorted()
        let part = Array(unwanted.prefix(Self.maximumSubscriptionCount))
        subscribedIDs.subtract(part)
        return part
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
