public import HAPCore

/// The status that a handler wants the controller to get.
public struct HandlerFailure: Error, Sendable, Hashable {
    /// Anything but success, which is taken as −70402.
    public var status: HAPStatus

    /// Creates a failure.
    public init(_ status: HAPStatus) {
        self.status = status == .success ? .unableToPerform : status
    }
}

extension HandlerFailure: CustomStringConvertible {
    /// The status with its meaning.
    public var description: String {
        status.description
    }
}
