package import HomeModel

/// What became of one action.
package struct ActionResult: Sendable, Hashable {
    /// What became of it.
    package enum Outcome: Sendable, Hashable {
        /// The value was taken.
        case done
        /// The accessory did not take it, with this code: HAP's are those of `HAPStatus`.
        case refused(code: Int64)
        /// Its server did not answer: why.
        case unreachable(String)
        /// It was not sent: why.
        case notSent(HomeError)

        init(_ outcome: WriteOutcome) {
            self =
                switch outcome {
                case .done: .done
                case .refused(let code): .refused(code: code)
                case .unreachable(let reason): .unreachable(reason)
                }
        }
    }

    /// Which action.
    package let action: HomeAction
    /// What became of it.
    package let outcome: Outcome

    /// Whether the value was taken.
    package var isDone: Bool { outcome == .done }
}
