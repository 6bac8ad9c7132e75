package import AccessoryModel
package import HAPCore

/// A lamp whose output fades while its characteristics already read as written.
///
/// It moves a Light Bulb service. HAP never carries the output: were Brightness to follow it, a controller's slider
/// would jump back and every fade would flood the controllers with events.
///
/// A change of On or Brightness takes the time of the fade rate, however far it goes, and begins at the present output.
/// The writes of one request make one fade, with the fade rate among them. A write that leaves the wanted output alone
/// (Brightness of a lamp that is off, a color, a fade rate) leaves a running fade alone too. At start-up the lamp is as
/// it was left, without a fade.
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

    /// Takes over the kept values without a fade; On that was not kept is off.
    package mutating func restore(at now: MonotonicInstant) {
        values.setDefault(.on, bool: false)
        values.setDefault(.brightness, 100)
        output = .steady(values.targetOutput)
    }

    /// The end of the fade: nothing changes then that HAP carries, but an observer may want to tell it.
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

    /// Answers with how bright the lamp is as `output`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("output", output.level(at: now), unit: "%")]
    }
}

extension ServiceValues {
    /// How bright a lamp with these values is to be, 0 to 100 %.
    var targetOutput: Double {
        bool(.on) == true ? LinearTravel.clampedPercent(number(.brightness) ?? 100) : 0
    }
}

extension DimmableLight {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "dimmableLight",
        "A lamp that fades.",
        services: [.lightbulb],
        requiredTypes: [.on],
        defaults: LightConfiguration(),
        parameters: [.fade]
    ) { configuration, _ in DimmableLight(configuration) }
}

/// How a lamp is built.
package struct LightConfiguration: Sendable, Hashable {
    /// The characteristic of the same service that holds the time of a fade in seconds; `nil` when none does.
    package var fadeRate: CharacteristicType?
    /// What a fade takes as long as the fade rate has no value.
    ///
    /// 1 s by default; 0 or less makes the output jump.
    package var fade = Duration.seconds(1)
    /// The coldest white that a color is matched with, in mired; 153 by default, ignored without color.
    package var coldestMired = 153.0
    /// The warmest white that a color is matched with, in mired; 400 by default, ignored without color.
    package var warmestMired = 400.0

    /// The whites in whole mired.
    var miredRange: ClosedRange<Int> {
        let coldest = Int(coldestMired.clamped(to: 50...1_000))
        return coldest...max(coldest, Int(warmestMired.clamped(to: 50...1_000)))
    }

    /// What a fade of a service with these values takes, at most 31 years.
    func fade(of values: ServiceValues) -> Duration {
        guard let seconds = fadeRate.flatMap({ values.number($0) }) else { return fade }
        return .seconds(seconds.clamped(to: 0...1e9))
    }

    /// Why a write of the fade rate is refused; `nil` for one that is a number, and for every other characteristic.
    func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == fadeRate ? WriteRule.number.refusal(of: write.value) : nil
    }
}

extension ModelParameter<LightConfiguration> {
    /// What a fade takes: a time, or a characteristic's value.
    static var fade: ModelParameter {
        ModelParameter(
            name: "fade",
            kind: .durationOrCharacteristic(.upToADay),
            summary: "What a fade takes, or the name of the characteristic of the service that holds the seconds."
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
