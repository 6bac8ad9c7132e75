internal import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// What an expectation waits for.
    ///
    /// - Throws: ``SimulationError`` when it names nothing, or a value that the characteristic cannot have.
    func wait(
        for expectation: ScenarioExpectation,
        _ suggestions: inout NameSuggestions
    ) throws(SimulationError) -> ScenarioWait {
        let text = ScenarioText.text(of: expectation.event)
        let event: ScenarioWait.Event
        switch expectation.event {
        case .value(let target, let test):
            let (place, characteristic) = try characteristic(target, &suggestions)
            event = .value(place, try Self.test(test, of: characteristic))
        case .event(let target, let test):
            let (place, characteristic) = try characteristic(target, &suggestions)
            guard characteristic.permissions.contains(.events) else {
                throw SimulationError(
                    .refused,
                    "\(characteristic.name.withVisibleControls) has no events.",
                    "Name a characteristic that controllers can subscribe to."
                )
            }
            guard let test else {
                event = .event(place, nil)
                break
            }
            event = .event(place, try Self.test(test, of: characteristic))
        case .controller(let deed, let target):
            guard let target else {
                event = .controller(deed, .anything)
                break
            }
            let object = try resolve(
                target,
                as: deed.concernsCharacteristics ? Set(SimulationObject.Kind.allCases) : [.server],
                &suggestions
            )
            event = .controller(deed, scope(of: object))
        }
        return ScenarioWait(event: event, limit: expectation.limit, text: text)
    }

    /// The characteristics of something.
    package func places(in object: SimulationObject) -> Set<SimulationPlace> {
        Set(parts(of: object).lazy.compactMap { if case .characteristic(let place) = $0 { place } else { nil } })
    }

    /// What a controller does something to; of whole servers and accessories, without all of their characteristics.
    private func scope(of object: SimulationObject) -> ScenarioWait.Scope {
        switch object {
        case .server(let server): .server(server)
        case .accessory(let server, let aid): .accessory(server: server, aid)
        case .service, .characteristic: .characteristics(places(in: object))
        }
    }

    private static func test(
        _ test: ValueTest,
        of characteristic: SimulatedCharacteristic
    ) throws(SimulationError) -> ScenarioWait.Test {
        switch test {
        case .equals(let text): return .equals(try value(text, of: characteristic))
        case .above(let limit):
            try checkNumeric(characteristic)
            return .above(limit)
        case .below(let limit):
            try checkNumeric(characteristic)
            return .below(limit)
        }
    }

    private static func checkNumeric(_ characteristic: SimulatedCharacteristic) throws(SimulationError) {
        switch characteristic.words.metadata.format {
        case .uint8, .uint16, .uint32, .uint64, .int, .float: return
        case .bool, .string, .tlv8, .data:
            throw SimulationError(
                .invalidValue,
                "\(characteristic.name.withVisibleControls) is no number.",
                "Write \"becomes\" with one of its values: \(characteristic.words.allowedValues)."
            )
        }
    }
}
