internal import NIOCore
internal import Synchronization

/// A watch over a stream, which closes it when a write takes too long, or when its client may no longer read it.
final class StreamWatch: Sendable {
    private let isAllowed: @Sendable () -> Bool
    private let begun = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter isAllowed: Whether the client still has access; a session can end, or expire.
    init(isAllowed: @escaping @Sendable () -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Begins a write.
    func begin() { begun.withLock { $0 = .now } }

    /// Ends a write.
    func end() { begun.withLock { $0 = nil } }

    /// Watches until the task is cancelled.
    func run(_ channel: any Channel) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let isStuck = begun.withLock { $0.map { $0.duration(to: .now) > ConsoleLimits.writeTime } ?? false }
            guard !isStuck, isAllowed() else {
                channel.close(mode: .all, promise: nil)
                return
            }
        }
    }
}
