package import AccessoryModel
package import HAPCore

/// A sensor that tells whether something is there: motion, somebody, an open window, water, smoke.
///
/// By default it finds nothing by itself, so that a test is disturbed by nothing: ``BehaviorCommand/sense(_:)`` sets it
/// off and back. With a pattern it is set off once in each span of time, at its beginning from the second span on
/// (``SensorPattern/regular``) or anywhere in it (``SensorPattern/random``); what it is told by command then holds until
/// the pattern changes it next.
///
/// Status Active, Status Fault, Status Tampered and Status Low Battery stay as they are.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct BinarySensor: EventDriven {
    /// What it finds depends on its kind.
    package static let rules: WriteRules = [:]
    /// What it tells depends on its kind.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var occasions: Occasions?
    private var isTriggered = false
    /// When it was told or changed last: what a pattern did before does not count.
    private var lastChange = MonotonicInstant.zero
    /// Up to when the pattern's changes are in.
    private var lastLook = MonotonicInstant.zero
    private var clearing: MonotonicInstant?

    /// Creates a sensor that finds nothing.
    ///
    /// - Parameter seed: What the times of ``SensorPattern/random`` are drawn from.
    package init(_ kind: Kind, _ configuration: Configuration = Configuration(), seed: UInt64 = 0) {
        self.kind = kind
        self.configuration = configuration
        self.seed = seed
        values = ServiceValues([kind.type])
    }

    package var fitted: [CharacteristicType] { [kind.type] }

    /// Takes over the kept value; a pattern begins anew, with nothing to find.
    package mutating func restore(at now: MonotonicInstant) {
        occasions = Occasions(configuration, seed: seed, from: now)
        turn(on: occasions?.isOn(at: now) ?? values.state(kind.type) ?? false, at: now)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == kind.type ? .readOnly : nil
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(clearing, occasions?.edge(after: lastLook))
    }

    /// Takes one look at its pattern, however much of it has passed.
    package mutating func settle(through now: MonotonicInstant) {
        if let clears = clearing, clears <= now {
            // Else the pattern has taken over before.
            if occasions?.edge(after: lastChange).map({ clears < $0 }) ?? true {
                isTriggered = false
                lastChange = clears
            }
            clearing = nil
        }
        if let occasions, let edge = occasions.edge(through: now), edge > lastChange {
            isTriggered = occasions.isOn(at: now)
            lastChange = edge
            clearing = nil
        }
        lastLook = max(lastLook, now)
        tell()
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of what it is there for.
    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        guard case .sense(let found) = command, found.type == kind.type, let isTriggered = found.value.isSwitchedOn
        else { return false }
        turn(on: isTriggered, at: now)
        return true
    }

    private mutating func turn(on isTriggered: Bool, at now: MonotonicInstant) {
        self.isTriggered = isTriggered
        lastChange = now
        lastLook = now
        clearing = isTriggered ? configuration.clears.map { now.advanced(by: max($0, .zero)) } : nil
        tell()
    }

    private mutating func tell() {
        values.set(kind.type, kind.value(isTriggered: isTriggered))
    }
}
