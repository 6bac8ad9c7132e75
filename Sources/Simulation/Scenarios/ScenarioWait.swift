package import AccessoryModel
package import HAPCore

/// An expectation whose names are found.
package struct ScenarioWait: Sendable, Hashable {
    /// What is to happen.
    package enum Event: Sendable, Hashable {
        /// A characteristic has such a value, or gets it.
        case value(SimulationPlace, Test)
        /// A controller does something with this or any server, accessory, service or characteristic.
        case controller(ControllerDeed, Scope)
        /// An event message tells of a characteristic, with such a value.
        case event(SimulationPlace, Test?)
    }

    /// What a value is held to.
    package enum Test: Sendable, Hashable {
        /// It is this one.
        case equals(CharacteristicValue)
        /// It is a greater number.
        case above(Double)
        /// It is a smaller number.
        case below(Double)

        /// Whether a value is such a one.
        func holds(_ value: CharacteristicValue?) -> Bool {
            guard let value else { return false }
            switch self {
            case .equals(let wanted):
                if value == wanted { return true }
                // 1 and true are one value to HAP.
                guard let left = value.isSwitchedOn, let right = wanted.isSwitchedOn else { return false }
                return left == right
            case .above(let limit): return value.number.map { $0.double > limit } ?? false
            case .below(let limit): return value.number.map { $0.double < limit } ?? false
            }
        }
    }

    /// What a controller may have to do with.
    package enum Scope: Sendable, Hashable {
        /// Whatever there is.
        case anything
        /// This server.
        case server(Int)
        /// A characteristic of this accessory.
        case accessory(server: Int, AccessoryID)
        /// One of these characteristics.
        case characteristics(Set<SimulationPlace>)
    }

    /// What is to happen.
    package var event: Event
    /// How long it may take.
    package var limit: Duration
    /// What is expected, for people: `Garage Door/Current Door State becomes Open`.
    package var text: String

    /// Whether it is somebody else who does it, in time that nobody can make pass faster.
    package var isForOthers: Bool {
        switch event {
        case .value: false
        case .controller, .event: true
        }
    }

    /// The characteristic whose value it looks at; `nil` for what somebody else does.
    var place: SimulationPlace? {
        switch event {
        case .value(let place, _): place
        case .controller, .event: nil
        }
    }

    /// Whether a fact is what is waited for.
    func isMet(by fact: ScenarioFact) -> Bool {
        switch (event, fact) {
        case (.value(let place, let test), .value(let changed, let new)):
            return place == changed && test.holds(new)
        case (.controller(let deed, let scope), .controller(let done, let server, let id)):
            guard deed == done else { return false }
            switch scope {
            case .anything: return true
            case .server(let wanted): return wanted == server
            case .accessory(let wanted, let aid): return wanted == server && id?.aid == aid
            case .characteristics(let places):
                return id.map { places.contains(SimulationPlace(server: server, $0)) } ?? false
            }
        case (.event(let place, let test), .event(let told, let value)):
            return place == told && (test?.holds(value) ?? true)
        case (.value, _), (.controller, _), (.event, _):
            return false
        }
    }
}

extension SimulationNames {
    /// What an expectation waits for.
    ///
    /// - Throws: ``SimulationError`` when it names nothing, or a value that the characteristic cannot have.
    func wait(
        for expectation: ScenarioExpectation,
        _ suggestions: NameSuggestions?
    ) throws(SimulationError) -> ScenarioWait {
        let text = ScenarioText.text(of: expectation.event)
        let event: ScenarioWait.Event
        switch expectation.event {
        case .value(let target, let test):
            let (place, characteristic) = try characteristic(target, suggestions)
            event = .value(place, try Self.test(test, of: characteristic))
        case .event(let target, let test):
            let (place, characteristic) = try characteristic(target, suggestions)
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
                as: deed.concernsCharacteristics ? Set(NameLevel.allCases) : [.server],
                suggestions
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

extension ScenarioWait {
    /// What was expected, and what was seen instead.
    func failure(
        values: [SimulationPlace: CharacteristicValue],
        seen: SeenFacts,
        _ names: SimulationNames
    ) -> String {
        let expected = "\(text), was expected within \(ScenarioText.duration(limit)). Seen instead: "
        guard case .value(let place, _) = event else { return expected + "\(seen.text(names))." }
        let words = names.characteristic(at: place)?.words
        let name = names.text(of: .characteristic(place))
        let present = words?.text(of: values[place]) ?? "–"
        let history = seen.values(of: place).map { words?.text(of: $0) ?? "–" }
        let course = history.count > 1 ? "; it was \(history.joined(separator: ", then "))" : ""
        return expected + "\(name) is \(present)\(course)."
    }
}
