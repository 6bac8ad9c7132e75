import Foundation
import Glibc
import Synchronization

/// A SIGKILL at a moment that was drawn beforehand.
///
/// Counts the messages of a round. When the drawn one has passed, the kill follows after the drawn delay, from a thread
/// of its own: whatever the round does meanwhile.
final class KillPoint {
    /// After which message of a round.
    enum Trigger {
        case sent(Int)
        case received(Int)
    }

    private let trigger: Trigger
    private let delay: Duration
    private let server: ServerUnderTest
    private var sent = 0
    private var received = 0
    private var sentAt = ContinuousClock.now
    private var pending: PendingKill?
    /// How long each message took that was answered, in their order.
    private(set) var durations: [Duration] = []

    init(_ serverUnderTest: ServerUnderTest, after trigger: Trigger, delay: Duration) {
        self.server = serverUnderTest
        self.trigger = trigger
        self.delay = delay
    }

    /// Kills after a while, whatever is sent.
    convenience init(_ serverUnderTest: ServerUnderTest, in delay: Duration) {
        self.init(serverUnderTest, after: .sent(0), delay: delay)
        scheduleKill(delay)
    }

    /// A message is with the system.
    func didSend() {
        sent += 1
        sentAt = .now
        if case .sent(sent) = trigger { scheduleKill(delay) }
    }

    /// An answer has come.
    func didReceive() {
        received += 1
        durations.append(.now - sentAt)
        if case .received(received) = trigger { scheduleKill(delay) }
    }

    /// Whether the kill is on its way, or done.
    var isTriggered: Bool { pending != nil }

    /// Returns when the process has been killed, at once if nothing has led to it; with a moment before that.
    func waitForKill() -> ContinuousClock.Instant {
        scheduleKill(.zero)
        return pending?.wait() ?? .now
    }

    private func scheduleKill(_ delay: Duration) {
        guard pending == nil else { return }
        pending = PendingKill(server.processID, after: delay)
    }
}

/// A kill on its way.
private final class PendingKill: Sendable {
    private let isDone = DispatchSemaphore(value: 0)
    private let killTime = Mutex(ContinuousClock.now)

    init(_ processID: pid_t, after delay: Duration) {
        guard delay > .zero else {
            killNow(processID)
            return
        }
        let end = ContinuousClock.now + delay
        Thread.detachNewThread {
            let rest = end - .now
            if rest > .zero {
                usleep(UInt32(rest / .microseconds(1)))
            }
            self.killNow(processID)
        }
    }

    func wait() -> ContinuousClock.Instant {
        isDone.wait()
        isDone.signal()
        return killTime.withLock { $0 }
    }

    private func killNow(_ processID: pid_t) {
        killTime.withLock { $0 = .now }
        _ = kill(processID, SIGKILL)
        isDone.signal()
    }
}
