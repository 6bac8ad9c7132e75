package import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// Refuses what can never be done: what names nothing, a value that is none, a time that does not exist.
    ///
    /// - Throws: ``SimulationError``.
    package func check(_ action: SimulationAction) throws(SimulationError) {
        switch action {
        case .set(let target, let text):
            let (_, characteristic) = try characteristic(target)
            _ = try Self.value(text, of: characteristic)
        case .press(let target, _), .stop(let target), .obstruct(let target), .clearObstruction(let target):
            let (server, aid, key) = try service(target)
            let accessory = servers[server].accessories.first { $0.aid == aid }
            guard accessory?.services.first(where: { $0.key == key })?.isSimulated == true else {
                throw SimulationError(
                    .refused,
                    "Nothing moves \"\(text(of: .service(server: server, aid, key)).withVisibleControls)\".",
                    "Name a service that is simulated, or serve it with \"simulate:\"."
                )
            }
        case .fault(let wish):
            if let target = wish.target { _ = try resolve(target) }
        case .clear(_, let target):
            if let target { _ = try resolve(target) }
        case .advance(let duration):
            guard duration >= .zero, duration <= Scenario.longest else {
                throw SimulationError(
                    .impossibleTime,
                    "Time does not pass by \(duration).",
                    "Write a duration from 0s to 3650d."
                )
            }
        case .scale(let scale):
            guard BehaviorClock.scales.contains(scale) else {
                throw SimulationError(
                    .impossibleTime,
                    "Time does not pass \(scale) times as fast.",
                    "Write a number from 0.001 to 1000000."
                )
            }
        case .pause, .resume, .log: break
        }
    }

    /// The value that a text means.
    ///
    /// - Throws: ``SimulationError`` with what would be taken.
    package static func value(
        _ text: String,
        of characteristic: SimulatedCharacteristic
    ) throws(SimulationError) -> CharacteristicValue {
        guard let value = characteristic.words.value(parsing: text) else {
            throw SimulationError(
                .invalidValue,
                "\"\(String(text.prefix(100)).withVisibleControls)\" is no value of "
                    + "\(characteristic.name.withVisibleControls).",
                "It takes \(characteristic.words.allowedValues)."
            )
        }
        return value
    }
}
