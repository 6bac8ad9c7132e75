public import HAPCore

/// Changes the values of a service like a device: a door that travels, a lamp that fades.
///
/// A behavior is a value on a clock that is passed in. It reads no clock, never sleeps, and uses no random source
/// except those of its owner, so that the same calls have the same results. Its owner stores the characteristics,
/// passes writes to the behavior, and applies its changes.
public protocol Behavior: Sendable {
    /// Starts with the saved values, and returns those that are no longer valid.
    ///
    /// Called once, before anything else. At the first start `values` contains the declared values, and none for a
    /// characteristic that was declared without one: the behavior returns values for those that it changes.
    ///
    /// - Parameters:
    ///   - values: The values of the service's characteristics, as far as they have one.
    ///   - types: All of the service's characteristics, with or without a value, in their order.
    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange]

    /// Handles the writes of one request to this service, already validated, in their order, each characteristic at
    /// most once.
    ///
    /// The consequences include everything that was due by `now` and not yet collected by ``advance(to:)``. The owner
    /// stores accepted writes before it applies the consequences, which may change a written value again.
    mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse

    /// The next time at which to call ``advance(to:)``; `nil` if there is none.
    var nextDeadline: MonotonicInstant? { get }

    /// Advances to `now`, and returns the changes since, in order, each with its latest value.
    mutating func advance(to now: MonotonicInstant) -> [BehaviorChange]

    /// Performs a command of a user or a script on the simulated device; returns `nil` for an unsupported one.
    mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]?

    /// The types of services of the same accessory whose changes it observes; constant.
    var observedServices: [ServiceType] { get }

    /// Handles changes of another service of the same accessory, and returns the changes that follow.
    ///
    /// Called for a service of ``observedServices`` after its changes were applied, and after ``start(with:of:at:)``
    /// with all of its values.
    mutating func observe(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant)
        -> [BehaviorChange]

    /// Returns the state of the device that its characteristics do not show: a door's position, a lamp's output.
    func readings(at now: MonotonicInstant) -> [BehaviorReading]
}

extension Behavior {
    /// A behavior without commands.
    public mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        nil
    }

    /// A behavior that minds its own service.
    public var observedServices: [ServiceType] {
        []
    }

    /// A behavior that minds its own service.
    public mutating func observe(
        _ changes: [BehaviorChange],
        of service: ServiceKey,
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        []
    }

    /// A behavior without readings.
    public func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        []
    }
}

/// A characteristic of a behavior's service with its new value.
public struct BehaviorChange: Sendable, Hashable {
    /// Which characteristic of the service.
    public var type: CharacteristicType
    /// Its value from now on.
    public var value: CharacteristicValue

    /// Creates a change.
    public init(_ type: CharacteristicType, _ value: CharacteristicValue) {
        self.type = type
        self.value = value
    }
}

/// The response of a behavior to writes.
public struct BehaviorResponse: Sendable, Hashable {
    /// The written characteristics that are refused, each with the reason; every other one is accepted.
    public var refusals: [CharacteristicType: HAPStatus]
    /// The changes that follow from the accepted writes.
    public var changes: [BehaviorChange]

    /// Creates a response; by default, everything is accepted and nothing else changes.
    public init(refusals: [CharacteristicType: HAPStatus] = [:], changes: [BehaviorChange] = []) {
        self.refusals = refusals
        self.changes = changes
    }
}

/// Something that a simulated device is doing and that HAP does not carry.
public struct BehaviorReading: Sendable, Hashable {
    /// The name of the reading, such as `position`.
    public var name: String
    /// The reading.
    public var value: Double
    /// The unit, such as `%`.
    public var unit: String

    /// Creates a reading.
    public init(_ name: String, _ value: Double, unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
