internal import AccessoryModel
internal import HAPCore

/// The time at which the effects of an automation end, and the way in which they end.
///
/// Each run starts the wait again. A pending end is executed even if the automation has been disabled since its run.
public struct EndEvent<References: HomeReferences>: Sendable, Hashable {
    /// The moment of an end.
    public enum Timing: Sendable, Hashable {
        /// The given time after the run; 1 s to 31 days.
        case after(Duration)
        /// The moment when a test becomes true for a characteristic after the run.
        case when(References.Characteristic, CharacteristicTest<References.Value>)
        /// The given time after a test has become true.
        ///
        /// If the test becomes false before that, the end waits until it becomes true again, and then for the full
        /// time.
        case whenThenAfter(References.Characteristic, CharacteristicTest<References.Value>, Duration)

        /// A characteristic and a test of its value.
        package typealias Test = (References.Characteristic, CharacteristicTest<References.Value>)

        /// Creates the timing from a test, a delay or both; returns `nil` if both are missing.
        package init?(test: Test?, delay: Duration?) {
            switch (test, delay) {
            case (let (characteristic, test)?, let delay?): self = .whenThenAfter(characteristic, test, delay)
            case (let (characteristic, test)?, nil): self = .when(characteristic, test)
            case (nil, let delay?): self = .after(delay)
            case (nil, nil): return nil
            }
        }

        /// The test and the delay of the timing.
        var components: (test: Test?, delay: Duration?) {
            switch self {
            case .after(let delay): (nil, delay)
            case .when(let characteristic, let test): ((characteristic, test), nil)
            case .whenThenAfter(let characteristic, let test, let delay): ((characteristic, test), delay)
            }
        }
    }

    /// The effect of an end.
    public enum Effect: Sendable, Hashable {
        /// The automation runs these actions, at most one for each characteristic.
        case actions([Action<References>])
        /// The automation restores the values that its characteristics had before its run, as far as they were known.
        case restore
    }

    /// The moment of the end.
    public var timing: Timing
    /// The effect of the end.
    public var effect: Effect

    /// Creates an end.
    public init(_ moment: Timing, _ ending: Effect) {
        self.timing = moment
        self.effect = ending
    }

    /// Returns the end with its references resolved to another kind, or `nil` if the resolver fails for any of them.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> EndEvent<Resolver.To>?
    where Resolver.From == References {
        let (test, delay) = timing.components
        let resolved = resolvedIfPresent(test) { $1.resolved(of: $0, by: &resolver) }
        let moment = resolved.flatMap { EndEvent<Resolver.To>.Timing(test: $0, delay: delay) }
        let ending: EndEvent<Resolver.To>.Effect? =
            switch self.effect {
            case .actions(let actions): resolver.actions(actions).map { .actions($0) }
            case .restore: .restore
            }
        guard let moment, let ending else { return nil }
        return EndEvent<Resolver.To>(moment, ending)
    }
}

extension EndEvent: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case delay, characteristic, test, actions
    }

    /// Decodes an end; one without actions restores the previous values.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        let test = try stored.decodeIfPresent(CharacteristicSelector.self, forKey: .characteristic)
            .map { ($0, try stored.decode(CharacteristicTest<CharacteristicValue>.self, forKey: .test)) }
        let delay = test == nil || stored.contains(.delay) ? try stored.decodeDuration(forKey: .delay) : nil
        guard let moment = Timing(test: test, delay: delay) else {
            throw stored.dataCorrupted("an end without a moment")
        }
        self.timing = moment
        effect = try stored.decodeIfPresent([HomeAction].self, forKey: .actions).map { .actions($0) } ?? .restore
    }

    /// Encodes the end.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        let (test, delay) = timing.components
        try stored.encodeIfPresent(test?.0, forKey: .characteristic)
        try stored.encodeIfPresent(test?.1, forKey: .test)
        try stored.encodeIfPresent(delay, forKey: .delay)
        if case .actions(let actions) = effect { try stored.encode(actions, forKey: .actions) }
    }
}
