import HAPCore
import HAPServer
import Synchronization
import TestSupport

/// A fault injection that returns the decisions of a test, and none by default.
final class ScriptedFaultInjection: FaultInjection {
    typealias Script = @Sendable (FaultInjectionPoint) -> FaultDecision

    private let script: Mutex<Script>

    init(_ script: @escaping Script = { _ in .proceed }) {
        self.script = Mutex(script)
    }

    /// Uses another script from now on.
    func setScript(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    /// Returns the decision at the next point that matches, and at no other.
    func injectOnce(_ decision: FaultDecision, where matches: @escaping @Sendable (FaultInjectionPoint) -> Bool) {
        let isDone = OnceFlag()
        setScript { point in
            guard matches(point), isDone.claim() else { return .proceed }
            return decision
        }
    }

    func decision(at point: FaultInjectionPoint, now: MonotonicInstant) -> FaultDecision {
        script.withLock { $0 }(point)
    }
}

extension FaultInjectionPoint {
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
        if case .eventMessage = self { true } else { false }
    }
}
