public import AccessoryModel
internal import HAPCore

/// When what an automation has begun ends by itself, and how.
///
/// Each run starts it again. It also ends when the automation has been disabled since.
public struct EndEvent<References: HomeReferences>: Sendable, Hashable {
    /// When it ends.
    public enum Moment: Sendable, Hashable {
        /// So long after the run; 1 s to 31 days.
        case after(Duration)
        /// When a test becomes true for a characteristic after the run.
        case when(References.Characteristic, CharacteristicTest<References.Value>)
        /// So long after a test has become true; the wait starts again when the test ceases to be true before.
        case whenThenAfter(References.Characteristic, CharacteristicTest<References.Value>, Duration)
    }

    /// How it ends.
    public enum Ending: Sendable, Hashable {
        /// With these actions: at most one for a characteristic.
        case actions([Action<References>])
        /// With the values that the automation's characteristics had before its run, as far as they were known.
        case restore
    }

    /// When it ends.
    public var moment: Moment
    /// How it ends.
    public var ending: Ending

    /// Creates an end.
    public init(_ moment: Moment, _ ending: Ending) {
        self.moment = moment
        self.ending = ending
    }

    /// Returns the end with other references.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> EndEvent<Resolver.To>?
    where Resolver.From == References {
        let moment: EndEvent<Resolver.To>.Moment? =
            switch self.moment {
            case .after(let delay): .after(delay)
            case .when(let characteristic, let test):
                test.resolved(of: characteristic, by: &resolver).map { .when($0, $1) }
            case .whenThenAfter(let characteristic, let test, let delay):
                test.resolved(of: characteristic, by: &resolver).map { .whenThenAfter($0, $1, delay) }
            }
        let ending: EndEvent<Resolver.To>.Ending? =
            switch self.ending {
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
        let delay = stored.contains(.delay) ? try stored.decodeDuration(forKey: .delay) : nil
        if let characteristic = try stored.decodeIfPresent(CharacteristicSelector.self, forKey: .characteristic) {
            let test: CharacteristicTest<CharacteristicValue> = try stored.decode(forKey: .test)
            moment = delay.map { .whenThenAfter(characteristic, test, $0) } ?? .when(characteristic, test)
        } else {
            moment = .after(try delay ?? stored.decodeDuration(forKey: .delay))
        }
        ending = try stored.decodeIfPresent([HomeAction].self, forKey: .actions).map { .actions($0) } ?? .restore
    }

    /// Encodes the end.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch moment {
        case .after(let delay): try stored.encode(delay, forKey: .delay)
        case .when(let characteristic, let test):
            try stored.encode(characteristic, forKey: .characteristic)
            try stored.encode(test, forKey: .test)
        case .whenThenAfter(let characteristic, let test, let delay):
            try stored.encode(characteristic, forKey: .characteristic)
            try stored.encode(test, forKey: .test)
            try stored.encode(delay, forKey: .delay)
        }
        if case .actions(let actions) = ending { try stored.encode(actions, forKey: .actions) }
    }
}
