package import AccessoryModel
package import HAPCore

/// An event in the servers that scenarios can observe.
package enum ScenarioEvent: Sendable, Hashable {
    /// A characteristic has a new value, or its button was pressed.
    case value(ServerCharacteristicID, CharacteristicValue?)
    /// A controller acted on a server, or on one of its characteristics.
    case controller(ControllerAction, server: Int, CharacteristicID?)
    /// A controller received an event notification for a characteristic.
    case notification(ServerCharacteristicID, CharacteristicValue?)
    /// The driver of an accessory reported an event with its details.
    case driver(SimulationObject, String, [String: String])
    /// A fault of this name acted on something, or ended.
    case fault(server: Int, String, on: String?)
}

/// The events that the scenario waits for, since the last step that changed something.
struct RecentEvents: Sendable {
    /// The number of stored controller events; beyond it, the oldest are discarded.
    private static let capacity = 10_000

    private let valueWaits: [ServerCharacteristicID: Set<ScenarioWait>]
    private let controllerActions: Set<ControllerAction>
    private let notificationCharacteristics: Set<ServerCharacteristicID>
    private let drivers: Set<SimulationObject>
    /// The expectations that a value has met, each once.
    private var metValueEvents: Set<ScenarioWait.Event> = []
    /// The controllers' actions and event notifications, in order.
    private var otherEvents: [ScenarioEvent] = []

    /// - Parameter waits: The expectations and conditions of the plan.
    init(for waits: [ScenarioWait]) {
        var valueWaits: [ServerCharacteristicID: Set<ScenarioWait>] = [:]
        var deeds: Set<ControllerAction> = []
        var eventPlaces: Set<ServerCharacteristicID> = []
        var drivers: Set<SimulationObject> = []
        for wait in waits {
            switch wait.event {
            case .value(let place, _): valueWaits[place, default: []].insert(wait)
            case .notification(let place, _): eventPlaces.insert(place)
            case .controller(let action, _): deeds.insert(action)
            case .driver(let object, _, _): drivers.insert(object)
            }
        }
        (self.valueWaits, self.controllerActions, self.notificationCharacteristics) = (valueWaits, deeds, eventPlaces)
        self.drivers = drivers
    }

    mutating func record(_ event: ScenarioEvent) {
        switch event {
        case .value(let place, _):
            for wait in valueWaits[place] ?? [] where wait.isMet(by: event) {
                metValueEvents.insert(wait.event)
            }
        case .controller(let action, _, _):
            if controllerActions.contains(action) { append(event) }
        case .notification(let place, _):
            if notificationCharacteristics.contains(place) { append(event) }
        case .driver(let object, _, _):
            if drivers.contains(object) { append(event) }
        case .fault: break
        }
    }

    /// Returns whether an event has met the expectation.
    ///
    /// A controller event counts for one expectation only. The event and all earlier controller events are removed, so
    /// later expectations need later events.
    mutating func consume(_ wait: ScenarioWait) -> Bool {
        switch wait.event {
        // With "within: 0s", only the current value counts.
        case .value: return wait.limit > .zero && metValueEvents.contains(wait.event)
        case .controller, .notification, .driver:
            guard let index = otherEvents.firstIndex(where: wait.isMet) else { return false }
            otherEvents.removeFirst(index + 1)
            return true
        }
    }

    /// Removes all events before a step that changes something, so that its effects are not confused with earlier
    /// events.
    mutating func removeAll() {
        metValueEvents = []
        otherEvents = []
    }

    private mutating func append(_ event: ScenarioEvent) {
        otherEvents.append(event)
        if otherEvents.count > Self.capacity { otherEvents.removeFirst(Self.capacity / 2) }
    }
}

/// The latest events, for the message of a step that fails.
struct EventHistory: Sendable {
    /// The number of events that a message lists.
    private static let capacity = 8

    private var values: [ServerCharacteristicID: [CharacteristicValue?]] = [:]
    private var otherEvents: [ScenarioEvent] = []

    mutating func record(_ event: ScenarioEvent) {
        switch event {
        case .value(let place, let value):
            values[place, default: []].append(value)
            if values[place, default: []].count > Self.capacity { values[place]?.removeFirst() }
        case .controller, .notification, .driver:
            if otherEvents.last != event { otherEvents.append(event) }
            if otherEvents.count > Self.capacity { otherEvents.removeFirst() }
        case .fault: break
        }
    }

    /// Returns the recent values of a characteristic, the latest last.
    func values(of place: ServerCharacteristicID) -> [CharacteristicValue?] {
        values[place] ?? []
    }

    /// Returns a description of what the controllers did.
    func text(_ names: SimulationNames) -> String {
        let texts = otherEvents.compactMap { event -> String? in
            switch event {
            case .value, .fault: nil
            case .controller(let action, let server, let id):
                "a controller \(action.rawValue) "
                    + names.text(
                        of: id.map { .characteristic(ServerCharacteristicID(server: server, $0)) } ?? .server(server)
                    )
            case .notification(let place, let value):
                "an event of \(names.text(of: .characteristic(place))): "
                    + (names.characteristic(at: place)?.base.text(of: value) ?? "–")
            case .driver(let object, let name, let details):
                "\(names.text(of: object)) reported \(DriverEventText.text(name, details))"
            }
        }
        return texts.isEmpty ? "no controller did anything" : texts.joined(separator: ", ")
    }
}
