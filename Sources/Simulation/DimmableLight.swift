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
package struct DimmableLight: EventDriven {
    package static let rules: WriteRules = [.on: .state, .brightness: .number]
    package static let required: [CharacteristicType] = [.on]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var output = FadingLevel.steady(0)

    /// Creates a lamp that is off, with Brightness 100.
    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values without a fade; On that was not kept is off.
    package mutating func restore(at now: MonotonicInstant) {
        if values.state(.on) == nil {
            values.set(.on, false)
        }
        values.fill(.brightness, 100)
        output = .steady(values.wantedOutput)
    }

    /// The end of the fade: nothing changes then that HAP carries, but an observer may want to tell it.
    package var nextEvent: MonotonicInstant? { output.end }

    package mutating func happen(at due: MonotonicInstant) {
        output.settle(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        configuration.refusal(of: write) ?? Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        output.fade(to: values.wantedOutput, at: now, lasting: configuration.fade(of: values))
        output.settle(at: now)
    }

    /// Answers with how bright the lamp is as `output`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("output", output.level(at: now), unit: "%")]
    }
}

extension ServiceValues {
    /// How bright a lamp with these values is to be, 0 to 100 %.
    var wantedOutput: Double {
        state(.on) == true ? LinearTravel.percent(number(.brightness) ?? 100) : 0
    }
}
