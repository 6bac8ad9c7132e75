public import AccessoryModel
public import HAPCore

/// The functions of an embedding program for reads and writes of one characteristic.
///
/// A handler may wait; it only delays its own item. After 3 seconds the observer is notified, after 9 seconds the
/// controller gets −70408. A later result still becomes the value of the characteristic.
public struct CharacteristicHandler: Sendable {
    /// Reads the current value.
    ///
    /// Without this function, a controller reads the value that was last set.
    ///
    /// Throws a ``HandlerFailure`` to choose the status that the controller gets; every other error gives −70402.
    public var onRead: (@Sendable () async throws -> CharacteristicValue)?
    /// Applies a valid value, and may return a different resulting value.
    ///
    /// The bytes are the authorization data, if the characteristic accepts any. Errors are as in `onRead`; after an
    /// error the characteristic keeps its value.
    public var onWrite: (@Sendable (CharacteristicValue, [UInt8]?) async throws -> CharacteristicValue?)?

    /// Creates a handler.
    public init(
        onRead: (@Sendable () async throws -> CharacteristicValue)? = nil,
        onWrite: (@Sendable (CharacteristicValue, [UInt8]?) async throws -> CharacteristicValue?)? = nil
    ) {
        self.onRead = onRead
        self.onWrite = onWrite
    }
}

/// The status that a handler wants the controller to receive.
public struct HandlerFailure: Error, Sendable, Hashable {
    /// Any status except success; success is sent as −70402.
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
