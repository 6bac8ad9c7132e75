internal import Synchronization

/// A weak reference to a delegate, which any thread may read and change.
final class WeakDelegate<Delegate>: @unchecked Sendable {
    private let lock = Mutex(())
    private weak var object: AnyObject?

    var delegate: Delegate? {
        get { lock.withLock { _ in object } as? Delegate }
        set { lock.withLock { _ in object = newValue.map { $0 as AnyObject } } }
    }
}
