internal import HAPCore

/// What became of one write.
package enum WriteOutcome: Sendable, Hashable {
    /// The value was taken.
    case done
    /// It was not, with this code: HAP's are those of `HAPStatus`.
    case refused(code: Int64)
    /// Nobody answered: why. Whether it was carried out is not known then.
    case unreachable(String)

    /// What a status of HAP stands for.
    init(_ status: HAPStatus) {
        self = status == .success ? .done : .refused(code: Int64(status.rawValue))
    }

    /// What a code stands for.
    init(code: Int64) {
        self = code == 0 ? .done : .refused(code: code)
    }
}
