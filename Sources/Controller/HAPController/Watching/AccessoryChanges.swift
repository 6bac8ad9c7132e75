public import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

/// The changes of watched characteristics.
///
/// Only one task may read it. The subscription ends when there is no longer a reference to the sequence or its
/// iterator.
public struct AccessoryChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = AccessoryChange
    /// The reason why the subscription ended.
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

        /// Waits for the next change and returns it; returns `nil` if the task is canceled or the accessory was closed.
        ///
        /// - Throws: ``ControllerError`` if the subscription cannot start or has ended: see
        ///   ``PairedAccessory/changes(of:)``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ControllerError) -> AccessoryChange? {
            try await subscription.mailbox.next()
        }

        /// Waits for the next change and returns it, like ``next(isolation:)``.
        public mutating func next() async throws(ControllerError) -> AccessoryChange? {
            try await subscription.mailbox.next()
        }
    }

    /// Returns an iterator over the changes.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: subscription)
    }
}

/// A change of a watched accessory.
public enum AccessoryChange: Sendable, Hashable {
    /// A characteristic has this value now; `nil` if the accessory sent `null`.
    case value(CharacteristicID, CharacteristicValue?)
    /// A session is open and subscribed to the characteristics, except for those that are reported as refused next.
    case connected
    /// The accessory has refused to send events for this characteristic in this session. The next session tries again.
    ///
    /// The result contains the status code.
    case refused(CharacteristicResult)
    /// The accessory has failed the read of this characteristic at the start of the session. Its value is unknown until
    /// the next event.
    ///
    /// The result contains the status code.
    case unreadable(CharacteristicResult)
    /// The session has ended or could not be opened again, for this reason. The controller keeps trying to open another
    /// one.
    case disconnected(ControllerError)
    /// The accessory's database has changed since it was read.
    case databaseChanged
}
