package import AccessoryModel
package import HAPCore

/// An expectation with resolved names.
package struct ScenarioWait: Sendable, Hashable {
    /// The events that can be expected.
    package enum Event: Sendable, Hashable {
        /// A characteristic has a matching value, or receives one.
        case value(ServerCharacteristicID, Test)
        /// A controller acts on a matching server, accessory, service or characteristic.
        case controller(ControllerAction, Scope)
        /// A controller receives an event notification for a characteristic, with a matching value.
        case notification(ServerCharacteristicID, Test?)
        /// The driver of an accessory reports an event with these details.
        case driver(SimulationObject, String, [String: String])
    }

    /// A test of a characteristic's value.
    package enum Test: Sendable, Hashable {
        /// The value equals this one.
        case equals(CharacteristicValue)
        /// The value differs from this one, or there is none.
        case differs(from: CharacteristicValue)
        /// The value is greater than this number.
        case above(Double)
        /// The value is less than this number.
        case below(Double)

        /// Returns whether a value passes the test.
        package func holds(_ value: CharacteristicValue?) -> Bool {
            switch self {
            case .equals(let wanted):
                if value == wanted { return true }
                // HAP treats 1 and true as the same value.
                guard let left = value?.coercedBool, let right = wanted.coercedBool else { return false }
                return left == right
            case .differs(let avoided): return !Test.equals(avoided).holds(value)
            case .above(let limit): return value?.number.map { $0.double > limit } ?? false
            case .below(let limit): return value?.number.map { $0.double < limit } ?? false
            }
        }
    }

    /// The possible targets of a controller's action.
    package enum Scope: Sendable, Hashable {
        /// Any target.
        case anything
        /// This server.
        case server(Int)
        /// A characteristic of this accessory.
        case accessory(server: Int, AccessoryID)
        /// One of these characteristics.
        case characteristics(Set<ServerCharacteristicID>)
    }

    /// The event that must occur, or must not.
    package var event: Event
    /// The time.
    package var limit: Duration
    /// Whether the event must not occur during the time.
    package var isForbidden: Bool
    /// A description for users: `Garage Door/Current Door State becomes Open`.
    package var text: String

    /// Whether a controller or a driver causes the event, which takes real time that the simulation cannot skip.
    package let isExternal: Bool

    /// The characteristic whose value is tested; `nil` for a controller's events.
    var characteristic: ServerCharacteristicID? {
        switch event {
        case .value(let place, _): place
        case .controller, .notification, .driver: nil
        }
    }

    /// Returns whether this is the event, expected or forbidden.
    func isMet(by occurred: ScenarioEvent) -> Bool {
        switch (event, occurred) {
        case (.value(let place, let test), .value(let changed, let new)):
            return place == changed && test.holds(new)
        case (.controller(let action, let scope), .controller(let done, let server, let id)):
            guard action == done else { return false }
            switch scope {
            case .anything: return true
            case .server(let wanted): return wanted == server
            case .accessory(let wanted, let aid): return wanted == server && id?.aid == aid
            case .characteristics(let places):
                return id.map { places.contains(ServerCharacteristicID(server: server, $0)) } ?? false
            }
        case (.notification(let place, let test), .notification(let reported, let value)):
            return place == reported && (test?.holds(value) ?? true)
        case (.driver(let object, let name, let details), .driver(let source, let event, let reported)):
            return object == source && name == event
                && details.allSatisfy { key, value in reported[key].map { $0.means(value) } ?? false }
        case (.value, _), (.controller, _), (.notification, _), (.driver, _):
            return false
        }
    }
}

extension SimulationNames {
    /// Resolves the names of an expectation.
    ///
    /// - Throws: ``SimulationError`` for an unknown name, or a value that the characteristic cannot have.
    func makeWait(
        for expectation: ScenarioExpectation,
        _ suggestions: NameSuggestions?
    ) throws(SimulationError) -> ScenarioWait {
        let text = ScenarioText.text(of: expectation)
        let event: ScenarioWait.Event
        var isExternal = true
        switch expectation.event {
        case .value(let target, let test):
            isExternal = false
            let (place, characteristic) = try characteristic(target, suggestions)
            event = .value(place, try Self.resolveTest(test, of: characteristic))
        case .notification(let target, let test):
            let (place, characteristic) = try characteristic(target, suggestions)
            guard characteristic.permissions.contains(.events) else {
                throw SimulationError(
                    .refused,
                    "\(characteristic.name.escapingControlCharacters) has no events.",
                    "Name a characteristic that controllers can subscribe to."
                )
            }
            guard let test else {
                event = .notification(place, nil)
                break
            }
            event = .notification(place, try Self.resolveTest(test, of: characteristic))
        case .driver(let target, let name, let details):
            let (object, driver) = try driver(of: target, suggestions)
            try driver.check(.event, name, details.keys, of: target.text)
            event = .driver(object, name, details)
            isExternal = !driver.features(.event).contains { $0.name == name && $0.isTimed }
        case .controller(let action, let target):
            guard let target else {
                event = .controller(action, .anything)
                break
            }
            let object = try resolve(
                target,
                as: action.targetsCharacteristics ? Set(NameLevel.allCases) : [.server],
                suggestions
            )
            event = .controller(action, scope(of: object))
        }
        return ScenarioWait(
            event: event,
            limit: expectation.limit,
            isForbidden: expectation.isForbidden,
            text: text,
            isExternal: isExternal
        )
    }

    /// Returns the characteristics of an object.
    package func characteristics(in object: SimulationObject) -> Set<ServerCharacteristicID> {
        Set(subtree(of: object).lazy.compactMap { if case .characteristic(let place) = $0 { place } else { nil } })
    }

    /// Returns the scope of a controller's action on an object.
    ///
    /// The scope of a server or an accessory does not list its characteristics.
    private func scope(of object: SimulationObject) -> ScenarioWait.Scope {
        switch object {
        case .server(let server): .server(server)
        case .accessory(let server, let aid): .accessory(server: server, aid)
        case .service, .characteristic: .characteristics(characteristics(in: object))
        }
    }

    private static func resolveTest(
        _ test: ValueTest,
        of characteristic: Characteristic
    ) throws(SimulationError) -> ScenarioWait.Test {
        switch test {
        case .equals(let text): return .equals(try parseValue(text, of: characteristic))
        case .differs(let text):
            guard !characteristic.type.isButton else {
                throw SimulationError(
                    .refused,
                    "\(characteristic.name.escapingControlCharacters) is a button, which keeps no value.",
                    "Write \"never\" with the press that must not occur."
                )
            }
            return .differs(from: try parseValue(text, of: characteristic))
        case .above(let limit):
            try checkNumeric(characteristic)
            return .above(limit)
        case .below(let limit):
            try checkNumeric(characteristic)
            return .below(limit)
        }
    }

    private static func checkNumeric(_ characteristic: Characteristic) throws(SimulationError) {
        switch characteristic.base.metadata.format {
        case .uint8, .uint16, .uint32, .uint64, .int, .float: return
        case .bool, .string, .tlv8, .data:
            throw SimulationError(
                .invalidValue,
                "\(characteristic.name.escapingControlCharacters) is not a number.",
                "Write \"becomes\" with one of its values: \(characteristic.base.allowedValues)."
            )
        }
    }
}

extension String {
    /// Returns whether two texts are equal, also as numbers.
    fileprivate func means(_ other: String) -> Bool {
        if self == other { return true }
        guard let left = Double(self), let right = Double(other) else { return false }
        return left == right
    }
}

extension ScenarioWait {
    /// Returns a message with the expectation and what was observed instead.
    func failure(
        values: [ServerCharacteristicID: CharacteristicValue],
        eventHistory: EventHistory,
        _ names: SimulationNames
    ) -> String {
        let time = "\(isForbidden ? "for" : "within") \(ScenarioText.duration(limit))"
        let expected = "Expected \(time): \(text). Seen instead: "
        guard case .value(let place, _) = event else { return expected + "\(eventHistory.text(names))." }
        let words = names.characteristic(at: place)?.base
        let name = names.text(of: .characteristic(place))
        let present = words?.text(of: values[place]) ?? "–"
        let history = eventHistory.values(of: place).map { words?.text(of: $0) ?? "–" }
        let course = history.count > 1 ? "; it was \(history.joined(separator: ", then "))" : ""
        return expected + "\(name) is \(present)\(course)."
    }
}
