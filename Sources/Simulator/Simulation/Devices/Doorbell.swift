package import AccessoryModel
package import HAPCore

/// A doorbell: each press is an event, and its chime sounds for a time unless it is muted.
///
/// The chime is a state of the device that HAP does not transport. Mute and Volume hold the written values.
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

    /// Sets the defaults of missing values; a press is never stored.
    package mutating func restore(at now: MonotonicInstant) {
        chimeEnd = nil
        values.setDefault(.mute, false)
        values.setDefault(.volume, 100)
    }

    /// The end of the chime.
    ///
    /// No characteristic changes then, but an observer may show it.
    package var nextEvent: MonotonicInstant? { chimeEnd }

    package mutating func handleEvent(at due: MonotonicInstant) {
        chimeEnd = nil
    }

    /// Returns the event of a press, even if it repeats the previous one.
    package mutating func perform(_ command: BehaviorCommand, at now: MonotonicInstant) -> [BehaviorChange]? {
        guard let press = Button.press(command) else { return nil }
        chimeEnd = now.advanced(by: max(configuration.chimeDuration, .zero))
        processEvents(through: now)
        return [press]
    }

    /// Returns the volume of the chime as `chime`, in percent; 0 while it is silent or muted.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let isSounding = chimeEnd.map { now < $0 } ?? false
        let volume = values.bool(.mute) == true ? 0 : (values.number(.volume) ?? 100).clamped(to: 0...100)
        return [DeviceReading("chime", isSounding ? volume : 0, unit: "%")]
    }

    /// The configuration of a doorbell.
    package struct Configuration: Sendable, Hashable {
        /// The duration of the chime.
        ///
        /// 2 s by default; 0 or less makes it silent.
        package var chimeDuration = Duration.seconds(2)
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "doorbell",
        "A doorbell with a chime.",
        services: [.doorbell],
        requiredTypes: [.programmableSwitchEvent],
        defaults: Configuration(),
        parameters: [.duration("chime", \.chimeDuration, "The duration of the chime.")]
    ) { configuration, _ in Doorbell(configuration) }
}
