public import AccessoryModel
internal import HAPCore

/// When what an automation has begun ends by itself, and how.
///
/// Each run starts it again. It also ends when the automation has been disabled since.
public struct EndEvent<References: HomeReferences>: Sendable, Hashable {
    /// When it ends.
    public enum Timing: Sendable, Hashable {
        /// So long after the run; 1 s to 31 days.
        case after(Duration)
        /// When a test becomes true for a characteristic after the run.
        case when(References.Characteristic, CharacteristicTest<References.Value>)
        /// So long after a test has become true; the wait starts again when the test ceases to be true before.
        case whenThenAfter(References.Characteristic, CharacteristicTest<References.Value>, Duration)

        /// A characteristic and what its value is compared with.
        typealias Test = (References.Characteristic, CharacteristicTest<References.Value>)

        /// The moment with a test, a delay or both; `nil` without either.
        init?(test: Test?, delay: Duration?) {
            switch (test, delay) {
            case (let (characteristic, test)?, let delay?): self = .whenThenAfter(characteristic, test, delay)
            case (let (characteristic, test)?, nil): self = .when(characteristic, test)
            case (nil, let delay?): self = .after(delay)
            case (nil, nil): return nil
            }
        }

        /// What it consists of.
        var components: (test: Test?, delay: Duration?) {
            switch self {
            case .after(let delay): (nil, delay)
            case .when(let characteristic, let test): ((characteristic, test), nil)
            case .whenThenAfter(let characteristic, let test, let delay): ((characteristic, test), delay)
            }
        }
    }

    /// How it ends.
    public enum Effect: Sendable, Hashable {
        /// With these actions: at most one for a characteristic.
        case actions([Action<References>])
        /// With the values that the automation's characteristics had before its run, as far as they were known.
        case restore
    }

    /// When it ends.
    public var timing: Timing
    /// How it ends.
    public var effect: Effect

    /// Creates an end.
    public init(_ moment: Timing, _ ending: Effect) {
        self.timing = moment
        self.effect = ending
    }

    /// Returns the end with other references.
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

    /// Decodes an end; without actions it restores.
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
