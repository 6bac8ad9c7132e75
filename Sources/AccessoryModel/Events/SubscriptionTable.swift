/// The subscribers of each characteristic.
///
/// Subscriptions end with their connection. Characteristics are given by their index in the database.
///
/// HAP: §14
package struct SubscriptionTable: Sendable {
    private var subscribers: [[SubscriberID]]
    private var subscriptions: [SubscriberID: Set<Int>] = [:]

    /// Creates an empty table for this many characteristics.
    package init(count: Int) {
        subscribers = Array(repeating: [], count: count)
    }

    /// Returns the subscribers of a characteristic, in the order of their subscriptions.
    package func subscribers(of index: Int) -> [SubscriberID] {
        subscribers[index]
    }

    /// Whether `subscriber` is subscribed to a characteristic.
    package func contains(_ subscriber: SubscriberID, _ index: Int) -> Bool {
        subscriptions[subscriber]?.contains(index) ?? false
    }

    /// Subscribes; doing so twice changes nothing.
    package mutating func subscribe(_ subscriber: SubscriberID, to index: Int) {
        if subscriptions[subscriber, default: []].insert(index).inserted {
            subscribers[index].append(subscriber)
        }
    }

    /// Unsubscribes; doing so without a subscription changes nothing.
    package mutating func unsubscribe(_ subscriber: SubscriberID, from index: Int) {
        if subscriptions[subscriber]?.remove(index) != nil {
            subscribers[index].removeAll { $0 == subscriber }
        }
    }

    /// Ends every subscription of a connection that has closed.
    package mutating func removeAll(of subscriber: SubscriberID) {
        for index in subscriptions.removeValue(forKey: subscriber) ?? [] {
            subscribers[index].removeAll { $0 == subscriber }
        }
    }
}

/// The identity of a connection.
package struct SubscriberID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
