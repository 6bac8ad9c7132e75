package import AccessoryModel
internal import HAPCore

/// How a lamp is built that fades.
package protocol FadeConfiguration: Sendable {
    /// The characteristic of the same service that holds the time of a fade in seconds; `nil` when none does.
    var fadeRate: CharacteristicType? { get set }
    /// What a fade takes as long as the fade rate has no value.
    ///
    /// 0 or less makes the output jump.
    var fade: Duration { get set }
}

extension FadeConfiguration {
    /// What a fade of a service with these values takes, at most 31 years.
    func fade(of values: ServiceValues) -> Duration {
        guard let seconds = fadeRate.flatMap({ values.number($0) }) else { return fade }
        return .seconds(seconds.within(0...1e9))
    }

    /// Why a write of the fade rate is refused; `nil` for one that is a number, and for every other characteristic.
    func refusal(of write: BehaviorChange) -> HAPStatus? {
        write.type == fadeRate ? WriteRule.number.refusal(of: write.value) : nil
    }
}

extension ModelParameter where Configuration: FadeConfiguration {
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
