public import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

/// The changes of watched characteristics.
///
/// One task reads them. The subscription ends when there is no reference to the sequence or its iterator.
public struct AccessoryChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = AccessoryChange
    /// The reason for which the subscription ended.
    public typealias Failure = ControllerError

    let subscription: Subscription

    /// Keeps the subscription alive.
    final class Subscription: Sendable {
        let mailbox: Mailbox<ChangeQueue>
        private let onEnd: @Sendable () -> Void

        init(mailbox: Mailbox<ChangeQueue>, onEnd: @escaping @Sendable () -> Void) {
            self.mailbox = mailbox
            self.onEnd = onEnd
        }

        deinit {
            onEnd()
        }
    }

    /// Returns the changes one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: Subscription

        /// Returns the next change when there is one; `nil` if the task is cancelled or the accessory was closed.
        ///
        /// - Throws: ``ControllerError`` if the accessory cannot be watched, or no longer: it could not be reached at
        ///   the beginning, or it does not know this controller.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ControllerError) -> AccessoryChange? {
            try await subscription.mailbox.next()
        }

        /// The next change, as above.
        public mutating func next() async throws(ControllerError) -> AccessoryChange? {
            try await subscription.mailbox.next()
        }
    }

    /// The changes from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: subscription)
    }
}

/// A change of a watched accessory.
public enum AccessoryChange: Sendable, Hashable {
    /// A characteristic has this value now; `nil` where the accessory sent `null`.
    case value(CharacteristicID, CharacteristicValue?)
    /// A session is open, and the characteristics are subscribed to, except for those that are reported as refused
    /// next.
    case connected
    /// The accessory sends no events for this characteristic in this session; the next session tries again.
    ///
    /// The result contains its code.
    case refused(CharacteristicResult)
    /// The session has ended, or could not be opened again, for this reason; another one is being opened.
    case disconnected(ControllerError)
    /// The accessory's database has changed since it was read.
    case databaseChanged
}
