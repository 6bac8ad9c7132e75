package import AccessoryModel
package import HAPCore

/// A doorbell: each press is an event, and its chime sounds for a while unless it is muted.
///
/// The chime is a state of the device that HAP does not carry. Mute and Volume are what is written.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §14
package struct Doorbell: EventDrivenBehavior {
    package static let rules: WriteRules = [.mute: .boolean, .volume: .number, .programmableSwitchEvent: .readOnly]
    package static let required: [CharacteristicType] = []

    package var values = ServiceValues()
    private let configuration: Configuration
    private var chimeEnd: MonotonicInstant?

    /// Creates a doorbell that is not muted, with Volume 100.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Gives a value to what has none; a press is never stored.
    package mutating func restore(at now: MonotonicInstant) {
        chimeEnd = nil
        values.setDefault(.mute, false)
        values.setDefault(.volume, 100)
    }

    /// The end of the chime: no characteristic changes then, but an observer may show it.
    package var nextEvent: MonotonicInstant? { chimeEnd }

    package mutating func handleEvent(at due: MonotonicInstant) {
        chimeEnd = nil
    }

    /// Answers a press with its event, also when it repeats the one before.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard let press = Button.press(command) else { return nil }
        chimeEnd = now.advanced(by: max(configuration.chimeDuration, .zero))
        processEvents(through: now)
        return [press]
    }

    /// Answers with how loud the chime sounds as `chimeDuration`, in percent; 0 while it is silent or muted.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let isSounding = chimeEnd.map { now < $0 } ?? false
        let volume = values.bool(.mute) == true ? 0 : LinearTravel.clampedPercent(values.number(.volume) ?? 100)
        return [BehaviorReading("chime", isSounding ? volume : 0, unit: "%")]
    }

    /// How a doorbell is built.
    package struct Configuration: Sendable, Hashable {
        /// How long its chime sounds.
        ///
        /// 2 s by default; 0 or less makes it silent.
        package var chimeDuration = Duration.seconds(2)
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "doorbell",
        "A doorbell with a chime.",
        services: [.doorbell],
        requiredTypes: [.programmableSwitchEvent],
        defaults: Configuration(),
        parameters: [.duration("chime", \.chimeDuration, "How long its chime sounds.")]
    ) { configuration, _ in Doorbell(configuration) }
}
