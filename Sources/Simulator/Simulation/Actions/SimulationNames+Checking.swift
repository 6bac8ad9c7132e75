package import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// Returns an action with its names and values resolved.
    ///
    /// - Parameter suggestions: The suggestions of errors, shared by several actions.
    /// - Throws: ``SimulationError`` if the action can never succeed because of an unknown name, an invalid value or an
    ///   impossible time.
    package func resolve(
        _ action: WrittenAction,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> ResolvedAction {
        switch action {
        case .set(let target, let text):
            let (place, characteristic) = try characteristic(target, suggestions)
            return .set(.characteristic(place), to: try Self.parseValue(text, of: characteristic))
        case .command(let command, let target):
            let object = try service(target, for: command, suggestions)
            try check(command, on: object)
            return .command(command, on: object)
        case .act(let action, let target):
            let (object, driver) = try driver(of: target, suggestions)
            try driver.check(.action, action.name, action.arguments.keys, of: target.text)
            return .act(action, on: object)
        case .fault(let request):
            let object = try object(of: request, suggestions)
            return .fault(
                FaultRequest(
                    request.name,
                    arguments: request.arguments,
                    on: object,
                    count: request.count,
                    duration: request.duration
                )
            )
        case .clear(let name, let target):
            let object = try target.map { target throws(SimulationError) in try resolve(target, suggestions) }
            return .clear(fault: name, on: object)
        case .advance(let duration):
            guard duration >= .zero, duration <= Scenario.maximumDuration else {
                throw SimulationError(
                    .invalidTime,
                    "Time cannot advance by \(duration).",
                    "Write a duration from 0s to 3650d."
                )
            }
            return .advance(duration)
        case .scale(let scale):
            guard BehaviorClock.scaleRange.contains(scale) else {
                throw SimulationError(
                    .invalidTime,
                    "Time cannot pass \(scale) times as fast.",
                    "Write a number from 0.001 to 1000000."
                )
            }
            return .scale(scale)
        // The home checks its users.
        case .arrive(let name): return .arrive(name)
        case .leave(let name): return .leave(name)
        case .pause: return .pause
        case .resume: return .resume
        case .log(let text): return .log(text)
        }
    }

    /// Checks that a service can perform a command.
    ///
    /// - Throws: ``SimulationError`` with the services that can.
    package func check(_ command: BehaviorCommand, on object: SimulationObject) throws(SimulationError) {
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
        of characteristic: Characteristic
    ) throws(SimulationError) -> CharacteristicValue {
        guard let value = characteristic.base.allowedValue(of: text) else {
            throw SimulationError(
                .invalidValue,
                "\"\(String(text.prefix(100)).escapingControlCharacters)\" is not a valid value of "
                    + "\(characteristic.name.escapingControlCharacters).",
                "It takes \(characteristic.base.allowedValues(insteadOf: text))."
            )
        }
        return value
    }
}

extension SimulationNames {
    /// Returns the object that a fault affects; `nil` for every server.
    ///
    /// - Throws: ``SimulationError`` for an unknown fault, an unsupported limit, invalid arguments, or an unsupported
    ///   target.
    func object(
        of request: FaultRequest<WrittenReferences>,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> SimulationObject? {
        let definition = try request.definition()
        return try request.target.map { target throws(SimulationError) in
            try resolve(target, as: Set(definition.scopes), suggestions)
        }
    }
}

extension FaultRequest {
    /// Returns the definition of the fault.
    ///
    /// - Throws: ``SimulationError`` for an unknown fault, an unsupported limit, invalid arguments, or a missing target.
    package func definition() throws(SimulationError) -> FaultDefinition {
        let definition = try FaultCatalog.lookup(name)
        try definition.check(self)
        if target == nil, !definition.scopes.contains(.server) {
            let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
            throw SimulationError(
                .refused,
                "\(definition.name) needs a target.",
                "Name \(kinds.first.map("aeiou".contains) ?? false ? "an" : "a") \(kinds)."
            )
        }
        return definition
    }
}
