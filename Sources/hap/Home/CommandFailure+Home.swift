import HAPController
import HomeModel
import HomeRuntime

extension CommandFailure {
    /// A rule that was not kept, or a name that means nothing or too much.
    init(_ error: HomeError) {
        self.init(.usage, error.description.withVisibleControls)
    }

    /// Why homes were not stored.
    init(_ error: HomeStoreError) {
        switch error {
        case .refused(let error): self.init(error)
        case .store(let error): self.init(error)
        case .stale: self.init(.failed, error.description)
        }
    }

    /// How much could not be set, `nil` when everything was.
    ///
    /// What and why stands in the report.
    init?(_ results: [ActionResult]) {
        let failed = results.filter { !$0.isDone }
        guard !failed.isEmpty else { return nil }
        let code: Code
        if failed.contains(where: \.outcome.isRefusal) {
            code = .refused
        } else {
            code = failed.contains(where: \.outcome.isLoss) ? .unavailable : .failed
        }
        let verb = failed.count == 1 ? "was" : "were"
        self.init(code, "\(failed.count) of \(results.count) \(verb) not done.")
    }
}

extension ActionResult {
    /// What became of it, in words; with the accessory when that does not answer.
    func reason(in home: Home) -> String {
        guard outcome.isLoss, let accessory = home.accessory(of: action.characteristic.service) else {
            return outcome.text
        }
        return "\(accessory.name): \(outcome.text)"
    }
}

extension ActionResult.Outcome {
    /// What became of it, in words.
    fileprivate var text: String {
        switch self {
        case .done: "done"
        case .refused(let code): HAPStatusText.text(code)
        case .unreachable(let reason): reason.withVisibleControls
        case .notSent(let error): "\(error.reason) \(error.remedy)".withVisibleControls
        }
    }

    /// A word for scripts.
    var word: String {
        switch self {
        case .done: "done"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .notSent: "notSent"
        }
    }

    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var isLoss: Bool {
        if case .unreachable = self { true } else { false }
    }
}
