package import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// Throws if an action can never succeed because of an unknown name, an invalid value or an impossible time.
    ///
    /// - Parameter suggestions: The suggestions of errors, shared by several actions.
    /// - Throws: ``SimulationError``.
    package func check(
        _ action: SimulationAction,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) {
        switch action {
        case .set(let target, let text):
            let (_, characteristic) = try characteristic(target, suggestions)
            _ = try Self.parseValue(text, of: characteristic)
        case .press(let target, let press): try check(.press(press), on: target, suggestions)
        case .stop(let target): try check(.stop, on: target, suggestions)
        case .obstruct(let target): try check(.obstruct, on: target, suggestions)
        case .clearObstruction(let target): try check(.clearObstruction, on: target, suggestions)
        case .plug(let target): try check(.plug, on: target, suggestions)
        case .unplug(let target): try check(.unplug, on: target, suggestions)
        case .fault(let request): _ = try resolveFault(of: request, suggestions)
        case .clear(_, let target):
            guard let target else { break }
            _ = try resolve(target, as: Set(NameLevel.allCases), suggestions)
        case .advance(let duration):
            guard duration >= .zero, duration <= Scenario.maximumDuration else {
                throw SimulationError(
                    .invalidTime,
                    "Time cannot advance by \(duration).",
                    "Write a duration from 0s to 3650d."
                )
            }
        case .scale(let scale):
            guard BehaviorClock.scaleRange.contains(scale) else {
                throw SimulationError(
                    .invalidTime,
                    "Time cannot pass \(scale) times as fast.",
                    "Write a number from 0.001 to 1000000."
                )
            }
        // The home checks its users.
        case .arrive, .leave: break
        case .pause, .resume, .log: break
        }
    }

    private func check(
        _ command: BehaviorCommand,
        on target: SimulationTarget,
        _ suggestions: NameSuggestions?
    ) throws(SimulationError) {
        let (server, aid, key) = try service(target, for: command, suggestions)
        let object = SimulationObject.service(server: server, aid, key)
        guard let service = service(of: object), service.isSimulated else {
            throw SimulationError(
                .refused,
                "\"\(text(of: object).escapingControlCharacters)\" is not simulated.",
                "Name a service that is simulated, or serve it with \"simulate:\"."
            )
        }
        guard service.commands.contains(command) else { throw unsupportedCommand(command, object) }
    }

    /// Returns the value that a text stands for.
    ///
    /// - Throws: ``SimulationError`` with the allowed values.
    package static func parseValue(
        _ text: String,
        of characteristic: NamedCharacteristic
    ) throws(SimulationError) -> CharacteristicValue {
        guard let value = characteristic.descriptor.allowedValue(of: text) else {
            throw SimulationError(
                .invalidValue,
                "\"\(String(text.prefix(100)).escapingControlCharacters)\" is not a valid value of "
                    + "\(characteristic.name.escapingControlCharacters).",
                "It takes \(characteristic.descriptor.allowedValues(insteadOf: text))."
            )
        }
        return value
    }
}

extension SimulationNames {
    /// Returns the definition of a fault and the object that it affects; `nil` for every server.
    ///
    /// - Throws: ``SimulationError`` for an unknown fault, an unsupported limit, invalid arguments, or an unsupported
    ///   target.
    package func resolveFault(
        of request: FaultRequest,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> (definition: FaultDefinition, object: SimulationObject?) {
        let definition = try FaultCatalog.lookup(request.name)
        try definition.check(request)
        guard let target = request.target else {
            guard definition.scopes.contains(.server) else {
                let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
                throw SimulationError(.refused, "\(definition.name) needs a target.", "Name a \(kinds).")
            }
            return (definition, nil)
        }
        return (definition, try resolve(target, as: Set(definition.scopes), suggestions))
    }
}
