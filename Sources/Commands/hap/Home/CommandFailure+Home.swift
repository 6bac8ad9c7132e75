import HomeModel
import HomeRuntime
import Hosting

extension CommandFailure {
    /// Creates a failure with the number of actions that failed, or returns `nil` if all succeeded.
    ///
    /// The report that was printed before lists the actions and the reasons.
    init?(_ results: [ActionResult]) {
        let failed = results.filter { !$0.hasSucceeded }
        guard !failed.isEmpty else { return nil }
        let code: Code
        if failed.contains(where: \.outcome.isRefused) {
            code = .refused
        } else {
            code = failed.contains(where: \.outcome.isUnreachable) ? .unavailable : .failed
        }
        self.init(code, "\(failed.count) of \(counted(results.count, "action")) failed.")
    }
}

extension ActionResult.Outcome {
    fileprivate var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
