internal import AsyncPrimitives
internal import HAPCore

/// One reader of a browser's updates, who may read as slowly as it likes.
final class UpdateListener: Sendable {
    /// What the reader has not read yet.
    let updates: Mailbox<PendingUpdates>
    /// Called once nobody reads any more.
    private let leave: @Sendable () -> Void

    /// Makes one who reads everything, or only where one accessory is, what it says, and whether there is a daemon.
    init(of deviceID: DeviceID? = nil, leave: @escaping @Sendable () -> Void) {
        updates = Mailbox(PendingUpdates(of: deviceID))
        self.leave = leave
    }

    deinit {
        leave()
    }
}
