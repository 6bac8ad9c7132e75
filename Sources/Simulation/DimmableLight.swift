package import AccessoryModel
package import HAPCore

/// A lamp whose output fades while its characteristics already read as written.
///
/// It moves a Light Bulb service. HAP never carries the output: were Brightness to follow it, a controller's slider
/// would jump back and every fade would flood the controllers with events.
///
/// A change of On or Brightness takes the time of the fade rate, however far it goes, and begins at the present output.
/// The writes of one request make one fade, with the fade rate among them. A write that leaves the wanted output alone
/// (Brightness of a lamp that is off, a colour, a fade rate) leaves a running fade alone too. At start-up the lamp is as
/// it was left, without a fade.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.3
package struct DimmableLight: Behavior {
    private let configuration: Configuration
    private var isOn = false
    private var brightness = 100.0
    private var fade: Duration
    private var output = FadingLevel.steady(0)

    /// Creates a lamp that is off, with Brightness 100.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        fade = configuration.fade
    }

    /// Takes over the kept values; On that was not kept is off.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        isOn = values[.on]?.isSwitchedOn ?? false
        brightness = values[.brightness]?.finiteDouble ?? 100
        fade = configuration.fadeRate.flatMap { values[$0] }.flatMap(Self.fade) ?? configuration.fade
        output = .steady(wantedOutput)

        var ledger = ChangeLedger(known: values)
        ledger.note([BehaviorChange(.on, .bool(isOn))])
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        output.settle(at: now)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes where !take(write) {
            refusals[write.type] = .invalidValue
        }
        output.fade(to: wantedOutput, at: now, lasting: fade)
        output.settle(at: now)
        return BehaviorResponse(refusals: refusals)
    }

    /// The end of the fade: nothing changes then that HAP carries, but an observer may want to tell it.
    package var nextDeadline: MonotonicInstant? {
        output.end
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        output.settle(at: now)
        return []
    }

    /// Answers with how bright the lamp is as `output`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("output", output.level(at: now), unit: "%")]
    }
}

extension DimmableLight {
    /// Takes one write; returns whether it is one of the values that its characteristic can have.
    private mutating func take(_ write: BehaviorChange) -> Bool {
        switch write.type {
        case .on:
            guard let written = write.value.isSwitchedOn else { return false }
            isOn = written
        case .brightness:
            guard let written = write.value.finiteDouble else { return false }
            brightness = written
        case configuration.fadeRate:
            guard let written = Self.fade(write.value) else { return false }
            fade = written
        default:
            break
        }
        return true
    }

    private var wantedOutput: Double {
        isOn ? LinearTravel.percent(brightness) : 0
    }

    /// A fade rate as a duration, at most 31 years; `nil` when it is no finite number.
    private static func fade(_ value: CharacteristicValue) -> Duration? {
        guard let seconds = value.finiteDouble else { return nil }
        return .seconds(min(max(seconds, 0), 1e9))
    }
}
