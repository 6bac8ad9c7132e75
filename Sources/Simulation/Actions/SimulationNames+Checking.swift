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
        case .press(let target, let press): try check(.press(press), target, "be pressed")
        case .stop(let target): try check(.stop, target, "be stopped")
        case .obstruct(let target): try check(.obstruct, target, "be obstructed")
        case .clearObstruction(let target): try check(.clearObstruction, target, "be freed")
        case .fault(let wish): _ = try scope(of: wish)
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

    private func check(
        _ command: BehaviorCommand,
        _ target: SimulationTarget,
        _ verb: String
    ) throws(SimulationError) {
        let (server, aid, key) = try service(target)
        let accessory = servers[server].accessories.first { $0.aid == aid }
        let service = accessory?.services.first { $0.key == key }
        let name = text(of: .service(server: server, aid, key)).withVisibleControls
        guard service?.isSimulated == true else {
            throw SimulationError(
                .refused,
                "Nothing moves \"\(name)\".",
                "Name a service that is simulated, or serve it with \"simulate:\"."
            )
        }
        guard service?.commands.contains(command) == true else {
            throw SimulationError(.refused, "\"\(name)\" does not know how to \(verb).", remedy(for: command))
        }
    }

    private func remedy(for command: BehaviorCommand) -> String {
        var able: [String] = []
        for (place, server) in servers.enumerated() {
            for accessory in server.accessories {
                for service in accessory.services where service.commands.contains(command) {
                    able.append(text(of: .service(server: place, accessory.aid, service.key)))
                }
            }
        }
        let shown = able.prefix(3).map { "\"\($0.withVisibleControls)\"" }.alternatives
        return able.isEmpty ? "Nothing here does." : "Name a service that does, such as \(shown)."
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
