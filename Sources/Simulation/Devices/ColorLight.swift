package import AccessoryModel
package import HAPCore

/// A lamp whose brightness and colour fade while its characteristics already read as written.
///
/// It does for On and Brightness what ``DimmableLight`` does, and for the colour likewise. Of a lamp with both, the
/// characteristic written last says whether it shines in a colour or in a white, and the others are updated to match: a
/// written Color Temperature brings its Hue and Saturation, written Hue or Saturation the nearest Color Temperature.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.3
package struct ColorLight: EventDriven {
    package static let rules: WriteRules = [
        .on: .state, .brightness: .number, .hue: .number, .saturation: .number, .colorTemperature: .number,
    ]
    package static let required: [CharacteristicType] = [.on]

    /// What a lamp shines in.
    private struct Light: Sendable, Hashable {
        var color: LightColor
        var mired: Double
    }

    package var values = ServiceValues(Self.required)
    private let configuration: LightConfiguration
    private var output = FadingLevel.steady(0)
    private var origin = Light(color: LightColor(hue: 0, saturation: 0), mired: 153)
    private var goal = Light(color: LightColor(hue: 0, saturation: 0), mired: 153)
    /// How far the colour has come from its origin to its goal, 0 to 100 %.
    private var change = FadingLevel.steady(100)

    /// Creates a lamp that is off.
    init(_ configuration: LightConfiguration = LightConfiguration()) {
        self.configuration = configuration
    }

    /// Takes over the kept values without a fade; On that was not kept is off.
    package mutating func restore(at now: MonotonicInstant) {
        values.fill(.on, state: false)
        values.fill(.brightness, 100)
        values.fill(.hue, 0)
        values.fill(.saturation, 0)
        values.fill(.colorTemperature, .integer(configuration.whites.lowerBound))
        output = .steady(values.wantedOutput)
        goal = wantedLight
        origin = goal
        change = .steady(100)
    }

    /// The ends of the fades: nothing changes then that HAP carries, but an observer may want to tell it.
    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(output.end, change.end)
    }

    package mutating func happen(at due: MonotonicInstant) {
        output.settle(at: due)
        change.settle(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        configuration.refusal(of: write) ?? Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        match(writes.last { [.hue, .saturation, .colorTemperature].contains($0.type) }?.type)
        let fade = configuration.fade(of: values)
        output.fade(to: values.wantedOutput, at: now, lasting: fade)
        let wanted = wantedLight
        guard wanted != goal else { return }
        origin = light(at: now)
        goal = wanted
        change = .steady(0)
        change.fade(to: 100, at: now, lasting: fade)
    }

    /// Answers with how bright the lamp is as `output`, and with the colour in which it shines as far as it has one.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let light = light(at: now)
        var readings = [BehaviorReading("output", output.level(at: now), unit: "%")]
        if values.contains(.hue) || values.contains(.saturation) {
            readings.append(BehaviorReading("hue", light.color.hue, unit: "°"))
            readings.append(BehaviorReading("saturation", light.color.saturation, unit: "%"))
        }
        if values.contains(.colorTemperature) {
            readings.append(BehaviorReading("colorTemperature", light.mired, unit: "mired"))
        }
        return readings
    }

    /// Brings the others of the colour's characteristics in line with the one that was written last.
    private mutating func match(_ written: CharacteristicType?) {
        switch written {
        case .colorTemperature?:
            guard let mired = values.number(.colorTemperature) else { return }
            let color = LightColor(mired: mired)
            values.set(.hue, .measured(color.hue.rounded()))
            values.set(.saturation, .measured(color.saturation.rounded()))
        case .some:
            values.set(.colorTemperature, choice: wantedLight.color.nearestMired(in: configuration.whites))
        case nil:
            break
        }
    }

    private var wantedLight: Light {
        Light(
            color: LightColor(hue: values.number(.hue) ?? 0, saturation: values.number(.saturation) ?? 0),
            mired: (values.number(.colorTemperature) ?? configuration.coldest).within(0...10_000)
        )
    }

    private func light(at now: MonotonicInstant) -> Light {
        let share = change.level(at: now) / 100
        return Light(
            color: origin.color.mixed(with: goal.color, share: share),
            mired: origin.mired + (goal.mired - origin.mired) * share
        )
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "colorLight",
        "A lamp whose brightness and colour fade, and whose colour and white match.",
        services: [.lightbulb],
        needs: [.on],
        standard: LightConfiguration(),
        parameters: [
            .fade,
            .number("coldest", \.coldest, 50...1_000, "The coldest white that a colour is matched with, in mired."),
            .number("warmest", \.warmest, 50...1_000, "The warmest white that a colour is matched with, in mired."),
        ]
    ) { configuration, _ in ColorLight(configuration) }
}
