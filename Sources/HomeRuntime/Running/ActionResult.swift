internal import HAPCore
package import HomeModel

/// What became of one action.
package struct ActionResult: Sendable, Hashable {
    /// What became of it.
    package enum Outcome: Sendable, Hashable {
        /// The value was taken.
        case done
        /// The accessory did not take it, with this code: HAP's are those of `HAPStatus`.
        case refused(code: Int64)
        /// Its server did not answer: why. Whether the value was written is unknown then.
        case unreachable(String)
        /// It was not sent: why.
        case notSent(HomeError)

        /// The meaning of a status.
        init(_ status: HAPStatus) {
            self.init(code: Int64(status.rawValue))
        }

        /// The meaning of the code that an accessory answers with.
        init(code: Int64) {
            self = code == 0 ? .done : .refused(code: code)
        }
    }

    /// Which action.
    package let action: HomeAction
    /// What became of it.
    package let outcome: Outcome

    /// Whether the value was taken.
    package var isDone: Bool { outcome == .done }
}
