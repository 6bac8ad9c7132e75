import HAPController
import HomeModel
import HomeRunning

extension CommandFailure {
    /// A rule that was not kept, or a name that means nothing or too much.
    init(_ error: HomeError) {
        self.init(.usage, error.description.withVisibleControls)
    }

    /// What could not be set, each with its reason; `nil` when everything was.
    init?(_ results: [ActionResult], in home: Home) {
        let failed = results.filter { !$0.isDone }
        guard !failed.isEmpty else { return nil }
        let sentences = failed.map { "\(home.text(of: $0.action.characteristic)): \($0.outcome.text)" }
        let code: Code
        if failed.contains(where: \.outcome.isRefusal) {
            code = .refused
        } else {
            code = failed.contains(where: \.outcome.isLoss) ? .unavailable : .failed
        }
        self.init(code, sentences.joined(separator: "; ") + (sentences.last?.hasSuffix(".") == true ? "" : "."))
    }
}

extension ActionResult.Outcome {
    /// What became of it, in words.
    var text: String {
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
