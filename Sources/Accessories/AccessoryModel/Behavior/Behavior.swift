public import HAPCore

/// A type that changes the values of a service like a real device, such as a door that travels or a lamp that fades.
///
/// A behavior is a value, and its time is passed in. It reads no clock, never sleeps, and uses no random source except
/// those of its owner. Therefore the same calls have the same results. The owner stores the characteristics, passes
/// writes to the behavior, and applies the behavior's changes.
public protocol Behavior: Sendable {
    /// Starts with the saved values and returns the values that must change.
    ///
    /// This method is called once, before all others. At the first start, `values` contains the declared values; a
    /// characteristic that was declared without a value is missing. The behavior returns only the values that it
    /// changes.
    ///
    /// - Parameters:
    ///   - values: The values of those characteristics of the service that have one.
    ///   - types: All characteristics of the service, with or without a value, in their order.
    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange]

    /// Handles the writes of one request to this service.
    ///
    /// The writes are valid and in their order, and each characteristic occurs at most once. The consequences include
    /// all changes that were due by `now` and that ``advance(to:)`` has not returned yet. The owner stores accepted
    /// writes before it applies the consequences, so these may change a written value again.
    mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse

    /// The next time at which to call ``advance(to:)``, or `nil` if there is none.
    var nextDeadline: MonotonicInstant? { get }

    /// Advances to `now` and returns the changes since the last call, in order, each with its latest value.
    mutating func advance(to now: MonotonicInstant) -> [BehaviorChange]

    /// Performs a command of a user or a script on the simulated device, or returns `nil` if it is not supported.
    mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]?

    /// Returns the characteristics that determine one that follows from the state of the device, so that it cannot be set
    /// by itself.
    ///
    /// - Returns: `nil` for a characteristic of which the behavior accepts any value; empty for one that only the device
    ///   itself determines.
    func controls(of type: CharacteristicType) -> [CharacteristicType]?

    /// The types of services of the same accessory whose changes the behavior observes; it never changes.
    var observedServices: [ServiceType] { get }

    /// Handles changes of another service of the same accessory and returns the changes that follow.
    ///
    /// The owner calls it for each service whose type is in ``observedServices``: after the changes of that service
    /// were applied, and once after ``start(with:of:at:)`` with all values of that service.
    mutating func observe(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant)
        -> [BehaviorChange]

    /// Returns the state that the device's characteristics do not show, such as a door's exact position or a lamp's
    /// output.
    func readings(at now: MonotonicInstant) -> [DeviceReading]
}

extension Behavior {
    /// Returns `nil`: by default, each characteristic can be set by itself.
    public func controls(of type: CharacteristicType) -> [CharacteristicType]? {
        nil
    }

    /// Returns `nil`: by default, a behavior does not support commands.
    public mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        nil
    }

    /// No services: by default, a behavior does not observe other services.
    public var observedServices: [ServiceType] {
        []
    }

    /// Returns no changes: by default, a behavior does not react to other services.
    public mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        []
    }

    /// Returns no readings.
    public func readings(at now: MonotonicInstant) -> [DeviceReading] {
        []
    }
}

/// A characteristic of a behavior's service with its new value.
public struct BehaviorChange: Sendable, Hashable {
    /// The type of the characteristic.
    public var type: CharacteristicType
    /// The new value.
    public var value: CharacteristicValue

    /// Creates a change.
    public init(_ type: CharacteristicType, _ value: CharacteristicValue) {
        self.type = type
        self.value = value
    }
}

/// The response of a behavior to writes.
public struct BehaviorResponse: Sendable, Hashable {
    /// The refused characteristics with their status; all other writes are accepted.
    public var refusals: [CharacteristicType: HAPStatus]
    /// The changes that follow from the accepted writes.
    public var changes: [BehaviorChange]

    /// Creates a response; by default, all writes are accepted and no other values change.
    public init(refusals: [CharacteristicType: HAPStatus] = [:], changes: [BehaviorChange] = []) {
        self.refusals = refusals
        self.changes = changes
    }
}

/// A quantity or a text of a device for which HAP has no characteristic.
public struct DeviceReading: Sendable, Hashable {
    /// The value of a reading.
    public enum Value: Sendable, Hashable {
        /// A number.
        case number(Double)
        /// A text, such as the title of a film.
        case text(String)
    }

    /// The name of the reading, such as `position`.
    public var name: String
    /// The value of the reading.
    public var value: Value
    /// The unit, such as `%`; empty without one.
    public var unit: String

    /// Creates a reading.
    public init(_ name: String, _ value: Double, unit: String) {
        self.name = name
        self.value = .number(value)
        self.unit = unit
    }

    /// Creates a reading that is a text.
    public init(_ name: String, text: String) {
        self.name = name
        value = .text(text)
        unit = ""
    }

    /// The number; `nil` for a text.
    public var number: Double? {
        if case .number(let number) = value { number } else { nil }
    }
}
