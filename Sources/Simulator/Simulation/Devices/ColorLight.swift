package import AccessoryModel
package import HAPCore

/// A lamp whose brightness and color fade, although its characteristics have the written values immediately.
///
/// On and Brightness work as in ``DimmableLight``, and the color fades likewise. If the lamp supports color and white,
/// the characteristic written last determines its light, and the others are updated to match. A written Color
/// Temperature updates Hue and Saturation; a written Hue or Saturation updates Color Temperature to the nearest one.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.3
package struct ColorLight: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .on: .boolean, .brightness: .number, .hue: .number, .saturation: .number, .colorTemperature: .number,
    ]
    package static let required: [CharacteristicType] = [.on]

    /// The light of a lamp, as a color and as a white.
    private struct Light: Sendable, Hashable {
        var color: LightColor
        var mired: Double
    }

    package var values = ServiceValues(Self.required)
    private let configuration: LightConfiguration
    private var output = FadingLevel.steady(0)
    private var origin = Light(color: LightColor(hue: 0, saturation: 0), mired: 153)
    private var goal = Light(color: LightColor(hue: 0, saturation: 0), mired: 153)
    /// The progress of the color from its origin to its goal, 0 to 100 %.
    private var transition = FadingLevel.steady(100)

    /// Creates a lamp that is off.
    init(_ configuration: LightConfiguration = LightConfiguration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values without a fade; without a saved On, the lamp is off.
    package mutating func restore(at now: MonotonicInstant) {
        values.setDefault(.on, bool: false)
        values.setDefault(.brightness, 100)
        values.setDefault(.hue, 0)
        values.setDefault(.saturation, 0)
        values.setDefault(.colorTemperature, .integer(configuration.miredRange.lowerBound))
        output = .steady(values.targetOutput)
        goal = targetLight
        origin = goal
        transition = .steady(100)
    }

    /// The end of the next fade.
    ///
    /// No characteristic changes then, but an observer may want to know it.
    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(output.end, transition.end)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        output.settle(at: due)
        transition.settle(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        configuration.refusal(of: write) ?? Self.rules[write.type]?.refusal(of: write.value)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        synchronizeColor(with: writes.last { [.hue, .saturation, .colorTemperature].contains($0.type) }?.type)
        let fade = configuration.fade(of: values)
        output.fade(to: values.targetOutput, at: now, lasting: fade)
        let wanted = targetLight
        guard wanted != goal else { return }
        origin = light(at: now)
        goal = wanted
        transition = .steady(0)
        transition.fade(to: 100, at: now, lasting: fade)
    }

    /// Returns the light output as `output`, and the color and the color temperature of the light, if the lamp has
    /// them.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let light = light(at: now)
        var readings = [DeviceReading("output", output.level(at: now), unit: "%")]
        if values.contains(.hue) || values.contains(.saturation) {
            readings.append(DeviceReading("hue", light.color.hue, unit: "°"))
            readings.append(DeviceReading("saturation", light.color.saturation, unit: "%"))
        }
        if values.contains(.colorTemperature) {
            readings.append(DeviceReading("colorTemperature", light.mired, unit: "mired"))
        }
        return readings
    }

    /// Updates the other color characteristics to match the one that was written last.
    private mutating func synchronizeColor(with written: CharacteristicType?) {
        switch written {
        case .colorTemperature?:
            guard let mired = values.number(.colorTemperature) else { return }
            let color = LightColor(mired: mired)
            values.set(.hue, .roundedNumber(color.hue.rounded()))
            values.set(.saturation, .roundedNumber(color.saturation.rounded()))
        case .some:
            values.set(.colorTemperature, integer: targetLight.color.nearestMired(in: configuration.miredRange))
        case nil:
            break
        }
    }

    private var targetLight: Light {
        Light(
            color: LightColor(hue: values.number(.hue) ?? 0, saturation: values.number(.saturation) ?? 0),
            mired: (values.number(.colorTemperature) ?? configuration.coldestMired).clamped(to: 0...10_000)
        )
    }

    private func light(at now: MonotonicInstant) -> Light {
        let share = transition.level(at: now) / 100
        return Light(
            color: origin.color.mixed(with: goal.color, share: share),
            mired: origin.mired + (goal.mired - origin.mired) * share
        )
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "colorLight",
        "A lamp whose brightness and color fade, and whose color temperature matches its color.",
        services: [.lightbulb],
        defaults: LightConfiguration(),
        parameters: [
            .fade,
            .number(
                "coldest",
                \.coldestMired,
                50...1_000,
                "The coldest color temperature that is reported for a color, in mired."
            ),
            .number(
                "warmest",
                \.warmestMired,
                50...1_000,
                "The warmest color temperature that is reported for a color, in mired."
            ),
        ]
    ) { configuration, _ in ColorLight(configuration) }
}
