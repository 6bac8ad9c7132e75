package import AccessoryModel
package import HAPCore

/// A lamp whose light output fades, although its characteristics have the written values immediately.
///
/// It drives a Light Bulb service. HAP does not transport the output. If Brightness followed it, a controller's slider
/// would jump back, and each fade would flood the controllers with events.
///
/// A change of On or Brightness takes the fade time, whatever the distance, and begins at the current output. All
/// writes of one request cause a single fade. If a fade rate is among them, it already applies to this fade. A write
/// that does not change the target output (Brightness of a lamp that is off, a color, a fade rate) does not affect a
/// running fade. At startup the lamp has its saved state, without a fade.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.3
package struct DimmableLight: EventDrivenBehavior {
    package static let rules: WriteRules = [.on: .boolean, .brightness: .number]
    package static let required: [CharacteristicType] = [.on]

    package var values = ServiceValues(Self.required)
    private let configuration: LightConfiguration
    private var output = FadingLevel.steady(0)

    /// Creates a lamp that is off, with Brightness 100.
    init(_ configuration: LightConfiguration = LightConfiguration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values without a fade; without a saved On, the lamp is off.
    package mutating func restore(at now: MonotonicInstant) {
        values.setDefault(.on, bool: false)
        values.setDefault(.brightness, 100)
        output = .steady(values.targetOutput)
    }

    /// The end of the fade.
    ///
    /// No characteristic changes then, but an observer may want to know it.
    package var nextEvent: MonotonicInstant? { output.end }

    package mutating func handleEvent(at due: MonotonicInstant) {
        output.settle(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        configuration.refusal(of: write) ?? Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        output.fade(to: values.targetOutput, at: now, lasting: configuration.fade(of: values))
    }

    /// Returns the light output as `output`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("output", output.level(at: now), unit: "%")]
    }
}

extension ServiceValues {
    /// The target output of a lamp with these values, 0 to 100 %.
    var targetOutput: Double {
        bool(.on) == true ? (number(.brightness) ?? 100).clamped(to: 0...100) : 0
    }
}

extension DimmableLight {
    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "dimmableLight",
        "A lamp that fades.",
        services: [.lightbulb],
        defaults: LightConfiguration(),
        parameters: [.fade]
    ) { configuration, _ in DimmableLight(configuration) }
}

/// The configuration of a lamp.
package struct LightConfiguration: Sendable, Hashable {
    /// The characteristic of the same service that holds the fade time in seconds; `nil` if there is none.
    package var fadeRate: CharacteristicType?
    /// The fade time that is used while the fade rate has no value.
    ///
    /// 1 s by default; 0 or less makes the output jump.
    package var fade = Duration.seconds(1)
    /// The coldest color temperature that is reported for a color, in mired; 153 by default, ignored without color.
    package var coldestMired = 153.0
    /// The warmest color temperature that is reported for a color, in mired; 400 by default, ignored without color.
    package var warmestMired = 400.0

    /// The range of white in whole mired.
    var miredRange: ClosedRange<Int> {
        let coldest = Int(coldestMired.clamped(to: 50...1_000))
        return coldest...max(coldest, Int(warmestMired.clamped(to: 50...1_000)))
    }

    /// Returns the fade time of a service with these values, at most 31 years.
    func fade(of values: ServiceValues) -> Duration {
        guard let seconds = fadeRate.flatMap({ values.number($0) }) else { return fade }
        return .seconds(seconds.clamped(to: 0...1e9))
    }

    /// Returns the reason to reject a write of the fade rate.
    ///
    /// It is `nil` for a number, and for every other characteristic.
    func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == fadeRate ? WriteRule.number.refusal(of: write.value) : nil
    }
}

extension ModelParameter<LightConfiguration> {
    /// The fade time: a duration, or the characteristic that holds it.
    static var fade: ModelParameter {
        ModelParameter(
            name: "fade",
            kind: .durationOrCharacteristic(.upToADay),
            summary: "The duration of a fade, or the name of the service's characteristic that holds it in seconds."
        ) { configuration in
            configuration.fadeRate.map(SimulationArgument.characteristic) ?? .duration(configuration.fade)
        } apply: { argument, configuration in
            switch argument {
            case .duration(let duration): configuration.fade = duration
            case .characteristic(let type): configuration.fadeRate = type
            case .number, .flag, .choice: break
            }
        }
    }
}
