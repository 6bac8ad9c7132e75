import HAPCore
import HAPServer
import Synchronization
import TestSupport

/// Does to a server what a test tells it to, and nothing before.
final class ScriptedInterference: Interference {
    typealias Script = @Sendable (InterferencePoint) -> Interruption

    private let script: Mutex<Script>

    init(_ script: @escaping Script = { _ in .pass }) {
        self.script = Mutex(script)
    }

    /// Goes by another script from now on.
    func follow(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    /// Interrupts the next point that matches, and no other.
    func interruptOnce(_ interruption: Interruption, where matches: @escaping @Sendable (InterferencePoint) -> Bool) {
        let isDone = Once()
        follow { point in
            guard matches(point), isDone.isFirst() else { return .pass }
            return interruption
        }
    }

    func interruption(at point: InterferencePoint, now: MonotonicInstant) -> Interruption {
        script.withLock { $0 }(point)
    }
}

extension InterferencePoint {
    var isAccept: Bool {
        if case .accept = self { true } else { false }
    }

    var isAnnouncement: Bool {
        self == .announcement
    }

    var isResponse: Bool {
        if case .response = self { true } else { false }
    }

    var isRequest: Bool {
        if case .request = self { true } else { false }
    }

    var isEvent: Bool {
        if case .event = self { true } else { false }
    }
}
