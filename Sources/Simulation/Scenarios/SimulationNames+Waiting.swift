internal import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// What an expectation waits for.
    ///
    /// - Throws: ``SimulationError`` when it names nothing, or a value that the characteristic cannot have.
    package func wait(for expectation: ScenarioExpectation) throws(SimulationError) -> ScenarioWait {
        let text = ScenarioText.text(of: expectation.event)
        let event: ScenarioWait.Event
        switch expectation.event {
        case .value(let target, let test):
            let (place, characteristic) = try characteristic(target)
            event = .value(place, try Self.test(test, of: characteristic))
        case .event(let target, let test):
            let (place, characteristic) = try characteristic(target)
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
                as: deed.concernsCharacteristics ? Set(SimulationObject.Kind.allCases) : [.server]
            )
            event = .controller(
                deed,
                deed.concernsCharacteristics ? .characteristics(places(in: object)) : .server(object.server)
            )
        }
        return ScenarioWait(event: event, limit: expectation.limit, text: text)
    }

    /// The characteristics of something.
    package func places(in object: SimulationObject) -> Set<SimulationPlace> {
        guard servers.indices.contains(object.server) else { return [] }
        var places: Set<SimulationPlace> = []
        for accessory in servers[object.server].accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let isMeant =
                        switch object {
                        case .server: true
                        case .accessory(_, let aid): accessory.aid == aid
                        case .service(_, let aid, let key): accessory.aid == aid && service.key == key
                        case .characteristic(let place): characteristic.id == place.id
                        }
                    if isMeant { places.insert(SimulationPlace(server: object.server, characteristic.id)) }
                }
            }
        }
        return places
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
