public import AccessoryModel
public import HAPCore

/// What a program that embeds the server does when a controller reads or writes one characteristic.
///
/// A handler may take its time: it costs only its own item. After 3 seconds the observer is told, after 9 the controller
/// gets −70408; an answer that comes later is still taken over as the characteristic's value.
public struct CharacteristicHandler: Sendable {
    /// Fetches the present value.
    ///
    /// Absent, the value that was set last is read.
    ///
    /// Throws a ``HandlerFailure`` to choose the status that the controller gets; every other error gives −70402.
    public var onRead: (@Sendable () async throws -> CharacteristicValue)?
    /// Puts a valid value into effect, and may return another one that came of it.
    ///
    /// The bytes are the authorization data of a characteristic that takes it. Throws as `onRead` does; the value
    /// stays as it was then.
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
