import Foundation
import Glibc
import Synchronization

/// A SIGKILL at a moment that was drawn beforehand.
///
/// Counts the messages of a round. When the drawn one has passed, the kill follows after the drawn delay, from a thread
/// of its own: whatever the round does meanwhile.
final class Strike {
    /// After which message of a round.
    enum Trigger {
        case sent(Int)
        case received(Int)
    }

    private let trigger: Trigger
    private let delay: Duration
    private let victim: Victim
    private var sent = 0
    private var received = 0
    private var sentAt = ContinuousClock.now
    private var pending: PendingKill?
    /// How long each message took that was answered, in their order.
    private(set) var durations: [Duration] = []

    init(_ victim: Victim, after trigger: Trigger, delay: Duration) {
        self.victim = victim
        self.trigger = trigger
        self.delay = delay
    }

    /// Kills after a while, whatever is sent.
    convenience init(_ victim: Victim, in delay: Duration) {
        self.init(victim, after: .sent(0), delay: delay)
        begin(delay)
    }

    /// A message is with the system.
    func noteSent() {
        sent += 1
        sentAt = .now
        if case .sent(sent) = trigger { begin(delay) }
    }

    /// An answer has come.
    func noteReceived() {
        received += 1
        durations.append(.now - sentAt)
        if case .received(received) = trigger { begin(delay) }
    }

    /// Whether the kill is on its way, or done.
    var hasBegun: Bool { pending != nil }

    /// Returns when the process has been killed, at once if nothing has led to it; with a moment before that.
    func finish() -> ContinuousClock.Instant {
        begin(.zero)
        return pending?.wait() ?? .now
    }

    private func begin(_ delay: Duration) {
        guard pending == nil else { return }
        pending = PendingKill(victim.processID, after: delay)
    }
}

/// A kill on its way.
private final class PendingKill: Sendable {
    private let isDone = DispatchSemaphore(value: 0)
    private let moment = Mutex(ContinuousClock.now)

    init(_ processID: pid_t, after delay: Duration) {
        guard delay > .zero else {
            strike(processID)
            return
        }
        let end = ContinuousClock.now + delay
        Thread.detachNewThread {
            let rest = end - .now
            if rest > .zero {
                usleep(UInt32(rest / .microseconds(1)))
            }
            self.strike(processID)
        }
    }

    func wait() -> ContinuousClock.Instant {
        isDone.wait()
        isDone.signal()
        return moment.withLock { $0 }
    }

    private func strike(_ processID: pid_t) {
        moment.withLock { $0 = .now }
        _ = kill(processID, SIGKILL)
        isDone.signal()
    }
}
