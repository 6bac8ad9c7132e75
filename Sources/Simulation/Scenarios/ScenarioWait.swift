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
