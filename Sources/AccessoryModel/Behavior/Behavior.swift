public import HAPCore

/// What moves a service's values: a door that travels, a lamp that fades.
///
/// A behavior is a value on a clock that is passed in. It reads no clock, sleeps never, and draws nothing at random
/// that was not seeded by its owner, so that the same calls give the same answers. Its owner keeps the characteristics:
/// it tells the behavior what is written and takes over what changes.
public protocol Behavior: Sendable {
    /// Takes the values that were kept from the last run, and answers with what does not hold any more.
    ///
    /// Called once, before anything else. At the first start `values` holds what was declared, and nothing for a
    /// characteristic that was declared without a value: the behavior answers with the values of those that it moves.
    ///
    /// - Parameters:
    ///   - values: The values of the service's characteristics, as far as they have one.
    ///   - types: All of the service's characteristics, with a value or without, in its order.
    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange]

    /// Takes what one request writes to this service, already validated, in the order of the request, each
    /// characteristic at most once.
    ///
    /// The consequences include whatever was due by `now` and not yet collected by ``advance(to:)``.
    /// The owner stores what is accepted before it applies the consequences, which may change a written value again.
    mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse

    /// When ``advance(to:)`` must be called next; `nil` while nothing moves.
    var nextDeadline: MonotonicInstant? { get }

    /// Moves on to `now` and answers with what changed since, in order, each with its latest value.
    mutating func advance(to now: MonotonicInstant) -> [BehaviorChange]

    /// Does what a person or a script asks of the simulated device, or returns `nil` when it knows no such command.
    mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]?

    /// The types of the services of the same accessory whose changes it wants to hear of; always the same ones.
    var observedServices: [ServiceType] { get }

    /// Hears what has changed in another service of the same accessory, and answers with what changes here because of it.
    ///
    /// Called for a service of ``observedServices`` after its changes were taken over, and after ``start(with:of:at:)`` with all
    /// of its values.
    mutating func observe(_ changes: [BehaviorChange], of service: ServiceKey, at now: MonotonicInstant)
        -> [BehaviorChange]

    /// What the device is doing beyond its characteristics: a door's position, a lamp's output.
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

/// How a behavior takes a write.
public struct BehaviorResponse: Sendable, Hashable {
    /// The written characteristics that are refused, each with the reason; every other one is accepted.
    public var refusals: [CharacteristicType: HAPStatus]
    /// What changes because of the accepted ones.
    public var changes: [BehaviorChange]

    /// Creates a response; without arguments, everything is accepted and nothing else changes.
    public init(refusals: [CharacteristicType: HAPStatus] = [:], changes: [BehaviorChange] = []) {
        self.refusals = refusals
        self.changes = changes
    }
}

/// Something that a simulated device is doing and that HAP does not carry.
public struct BehaviorReading: Sendable, Hashable {
    /// What is read, such as `position`.
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
