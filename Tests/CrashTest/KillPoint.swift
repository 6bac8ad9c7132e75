import Foundation
import Glibc
import Synchronization

/// A SIGKILL at a moment that was chosen beforehand.
///
/// The kill point counts the messages of a round. The kill follows the chosen message after the chosen delay, on a
/// thread of its own, regardless of what the round does in the meantime.
final class KillPoint {
    /// The message of a round after which the delay begins.
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
    /// The time until each response, in the order of the messages.
    private(set) var durations: [Duration] = []

    init(_ serverUnderTest: ServerUnderTest, after trigger: Trigger, delay: Duration) {
        self.server = serverUnderTest
        self.trigger = trigger
        self.delay = delay
    }

    /// Kills the server after a delay, regardless of the messages.
    convenience init(_ serverUnderTest: ServerUnderTest, in delay: Duration) {
        self.init(serverUnderTest, after: .sent(0), delay: delay)
        scheduleKill(delay)
    }

    /// Counts a message that was passed to the system.
    func didSend() {
        sent += 1
        sentAt = .now
        if case .sent(sent) = trigger { scheduleKill(delay) }
    }

    /// Counts a response that was received.
    func didReceive() {
        received += 1
        durations.append(.now - sentAt)
        if case .received(received) = trigger { scheduleKill(delay) }
    }

    /// Whether the kill is scheduled or done.
    var isTriggered: Bool { pending != nil }

    /// Waits for the kill and returns its time; a kill that is not scheduled yet happens at once.
    func waitForKill() -> ContinuousClock.Instant {
        scheduleKill(.zero)
        return pending?.wait() ?? .now
    }

    private func scheduleKill(_ delay: Duration) {
        guard pending == nil else { return }
        pending = PendingKill(server.processID, after: delay)
    }
}

/// A scheduled kill.
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
