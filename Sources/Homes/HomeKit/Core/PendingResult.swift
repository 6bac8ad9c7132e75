internal import Dispatch
internal import Synchronization

/// The future result of an operation, delivered on the main queue.
final class PendingResult<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, HMError>

    private enum State {
        case waiting([@Sendable (Outcome) -> Void])
        case finished(Outcome)
    }

    private let state = Mutex<State>(.waiting([]))

    init() {}

    /// Creates an operation that has failed.
    init(failure: HMError) {
        onMainQueue { self.finish(.failure(failure)) }
    }

    /// Delivers the result; call it on the main queue.
    ///
    /// Only the first result counts.
    func finish(_ outcome: Outcome) {
        let handlers = state.withLock { state -> [@Sendable (Outcome) -> Void] in
            guard case .waiting(let handlers) = state else { return [] }
            state = .finished(outcome)
            return handlers
        }
        for handler in handlers { handler(outcome) }
    }

    /// Calls a function with the result.
    func then(_ handler: @escaping @Sendable (Outcome) -> Void) {
        let finished = state.withLock { state -> Outcome? in
            switch state {
            case .waiting(let handlers):
                state = .waiting(handlers + [handler])
                return nil
            case .finished(let outcome): return outcome
            }
        }
        if let finished { onMainQueue { handler(finished) } }
    }

    /// Calls a completion handler of Apple's form without a result.
    func report(to handler: @escaping @Sendable ((any Error)?) -> Void) {
        then { outcome in
            switch outcome {
            case .success: handler(nil)
            case .failure(let error): handler(error)
            }
        }
    }

    /// Calls a completion handler of Apple's form with a result.
    func report(to handler: @escaping @Sendable (Value?, (any Error)?) -> Void) {
        then { outcome in
            switch outcome {
            case .success(let value): handler(value, nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }

    /// The result, or the error.
    var outcome: Outcome {
        get async {
            await withCheckedContinuation { continuation in then { continuation.resume(returning: $0) } }
        }
    }

    /// The result.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                then { outcome in continuation.resume(with: outcome) }
            }
        }
    }
}

/// Runs a function on the main queue, after those that were passed before it.
func onMainQueue(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async(execute: body)
}

/// Runs a function on the main queue, and returns when it has run.
func runOnMainQueue(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        onMainQueue {
            body()
            continuation.resume()
        }
    }
}
