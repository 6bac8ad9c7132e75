/// A table of the subscribers of each characteristic.
///
/// Subscriptions end with their connection. Characteristics are addressed by their index in the database.
///
/// HAP: §14
package struct SubscriptionTable: Sendable {
    private var subscribers: [[SubscriberID]]
    private var subscriptions: [SubscriberID: Set<Int>] = [:]

    /// Creates an empty table for `count` characteristics.
    package init(count: Int) {
        subscribers = Array(repeating: [], count: count)
    }

    /// Returns the subscribers of a characteristic, in the order of their subscriptions.
    package func subscribers(of index: Int) -> [SubscriberID] {
        subscribers[index]
    }

    /// Returns whether `subscriber` is subscribed to a characteristic.
    package func contains(_ subscriber: SubscriberID, _ index: Int) -> Bool {
        subscriptions[subscriber]?.contains(index) ?? false
    }

    /// Subscribes to a characteristic; an existing subscription stays.
    package mutating func subscribe(_ subscriber: SubscriberID, to index: Int) {
        if subscriptions[subscriber, default: []].insert(index).inserted {
            subscribers[index].append(subscriber)
        }
    }

    /// Unsubscribes from a characteristic; without a subscription, nothing changes.
    package mutating func unsubscribe(_ subscriber: SubscriberID, from index: Int) {
        if subscriptions[subscriber]?.remove(index) != nil {
            subscribers[index].removeAll { $0 == subscriber }
        }
    }

    /// Removes all subscriptions of a connection that was closed.
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
