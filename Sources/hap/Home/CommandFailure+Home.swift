import HAPController
import HomeModel
import HomeRuntime

extension CommandFailure {
    /// A rule that was not kept, or a name that means nothing or too much.
    init(_ error: HomeError) {
        self.init(.usage, error.description.escapingControlCharacters)
    }

    /// Why homes were not stored.
    init(_ error: HomeStoreError) {
        switch error {
        case .refused(let error): self.init(error)
        case .store(let error): self.init(error)
        case .conflict: self.init(.failed, error.description)
        }
    }

    /// How much could not be set, `nil` when everything was.
    ///
    /// What and why stands in the report.
    init?(_ results: [ActionResult]) {
        let failed = results.filter { !$0.hasSucceeded }
        guard !failed.isEmpty else { return nil }
        let code: Code
        if failed.contains(where: \.outcome.isRefused) {
            code = .refused
        } else {
            code = failed.contains(where: \.outcome.isUnreachable) ? .unavailable : .failed
        }
        let verb = failed.count == 1 ? "was" : "were"
        self.init(code, "\(failed.count) of \(results.count) \(verb) not done.")
    }
}

extension ActionResult {
    /// What became of it, in words; with the accessory when that does not answer.
    func failureReason(in home: Home) -> String {
        guard outcome.isUnreachable, let accessory = home.accessory(of: action.characteristic.service) else {
            return outcome.text
        }
        return "\(accessory.name): \(outcome.text)"
    }
}

extension ActionResult.Outcome {
    /// What became of it, in words.
    fileprivate var text: String {
        switch self {
        case .succeeded: "done"
        case .refused(let code): HAPStatusText.text(code)
        case .unreachable(let reason): reason.escapingControlCharacters
        case .notSent(let error): "\(error.reason) \(error.remedy)".escapingControlCharacters
        }
    }

    /// A word for scripts.
    var scriptWord: String {
        switch self {
        case .succeeded: "done"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .notSent: "notSent"
        }
    }

    fileprivate var isRefused: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var isUnreachable: Bool {
        if case .unreachable = self { true } else { false }
    }
}
