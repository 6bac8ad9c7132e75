public import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

/// What happens to characteristics that are watched, as it happens.
///
/// One task takes the changes. The watch ends when nobody holds the sequence or its iterator any more.
public struct AccessoryChanges: AsyncSequence, Sendable {
    /// What happened.
    public typealias Element = AccessoryChange
    /// Why the watch ended.
    public typealias Failure = ControllerError

    let subscription: Subscription

    /// What holds the watch.
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

    /// Takes the changes one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: Subscription

        /// The next change, once there is one; `nil` when the task is cancelled or the accessory was closed.
        ///
        /// - Throws: ``ControllerError`` when the accessory cannot be watched, or not any more: it could not be reached at
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

/// What happened to an accessory that is watched.
public enum AccessoryChange: Sendable, Hashable {
    /// A characteristic has this value now; `nil` where the accessory sent `null`.
    case value(CharacteristicID, CharacteristicValue?)
    /// A session is open, and what is watched is subscribed to, but for what is told as refused next.
    case connected
    /// The accessory does not tell in this session when this characteristic changes; the next session asks again.
    ///
    /// The result carries its code.
    case refused(CharacteristicResult)
    /// The session has ended, or could not be opened again for this reason; another one is being opened.
    case disconnected(ControllerError)
    /// The accessory's database has changed since it was read.
    case databaseChanged
}
