package import AccessoryModel
package import HAPCore

/// A television's speaker: Volume Selector changes Volume by one step, up with 0 and down with 1.
///
/// Turning the volume up unmutes the speaker. A speaker without the characteristic Volume stores its volume internally
/// and offers it as a reading. Mute and Volume hold the written values; Volume Control Type does not change.
///
/// No call traps, whatever the values.
package struct TelevisionSpeaker: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .mute: .boolean, .volume: .number, .volumeSelector: .boolean, .volumeControlType: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.mute]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var volume = 50.0

    /// Creates a speaker with Volume 50.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values of Volume and Mute.
    package mutating func restore(at now: MonotonicInstant) {
        volume = (values.number(.volume) ?? 50).clamped(to: 0...100)
        updateVolume()
        values.setDefault(.mute, bool: false)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        if write.type == .volume, let written = write.value.finiteDouble, !(0...100 ~= written) { return .invalidValue }
        return Self.rules[write.type]?.refusal(of: write.value)
    }

    /// Applies each write immediately, so that the order of Mute and Volume Selector in a request matters.
    package mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant) {
        values.store(write)
        applyVolume(write)
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Mute, Volume and Volume Selector, like keys on the device.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard [.mute, .volume, .volumeSelector].contains(found.type), refusal(of: found) == nil else { return false }
        if found.type == .mute, let isMuted = found.value.coercedBool {
            mute(isMuted)
        }
        applyVolume(found)
        return true
    }

    /// Returns the audible volume as `output`, in percent; 0 while muted.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("output", values.bool(.mute) == true ? 0 : volume, unit: "%")]
    }

    private mutating func applyVolume(_ change: BehaviorChange) {
        switch change.type {
        case .volume:
            volume = change.value.finiteDouble ?? volume
            updateVolume()
        case .volumeSelector:
            let isDown = change.value.coercedBool == true
            volume = (volume + (isDown ? -configuration.step : configuration.step)).clamped(to: 0...100).rounded()
            updateVolume()
            if !isDown { mute(false) }
        default:
            break
        }
    }

    private mutating func mute(_ isMuted: Bool) {
        if values.bool(.mute) != isMuted {
            values.set(.mute, .bool(isMuted))
        }
    }

    private mutating func updateVolume() {
        values.set(.volume, .number(JSONNumber(volume) ?? 0))
    }

    /// The configuration of a speaker.
    package struct Configuration: Sendable, Hashable {
        /// The change of Volume by one press of a volume key, in percent; 5 by default.
        package var step: Double = 5
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "televisionSpeaker",
        "A speaker whose volume moves with the volume keys.",
        services: [.speaker],
        defaults: Configuration(),
        parameters: [.number("step", \.step, 1...100, "The change of Volume by one press of a volume key, in percent.")]
    ) { configuration, _ in TelevisionSpeaker(configuration) }
}
