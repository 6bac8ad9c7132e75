package import AccessoryModel
package import HAPCore

/// Something that happened in the servers, as far as scenarios care.
package enum ScenarioEvent: Sendable, Hashable {
    /// A characteristic has this value from now on, or its button was pressed.
    case value(ServerCharacteristicID, CharacteristicValue?)
    /// A controller did something to a server, or to a characteristic of it.
    case controller(ControllerAction, server: Int, CharacteristicID?)
    /// An event message has told a controller of a characteristic.
    case notification(ServerCharacteristicID, CharacteristicValue?)
    /// A fault of this name has acted on something, or is over.
    case fault(server: Int, String, on: String?)
}

/// What has happened since the last step that changed something, as far as a scenario waits for it.
struct RecentEvents: Sendable {
    /// How much of what controllers did and were told is remembered; beyond it the oldest is forgotten.
    private static let capacity = 10_000

    private let valueWaits: [ServerCharacteristicID: Set<ScenarioWait>]
    private let controllerActions: Set<ControllerAction>
    private let notificationCharacteristics: Set<ServerCharacteristicID>
    /// What a value has met, each once, however often it did.
    private var metValueEvents: Set<ScenarioWait.Event> = []
    /// What controllers did and were told, in its order.
    private var otherEvents: [ScenarioEvent] = []

    /// - Parameter waits: Everything that is waited for.
    init(for waits: [ScenarioWait]) {
        var valueWaits: [ServerCharacteristicID: Set<ScenarioWait>] = [:]
        var deeds: Set<ControllerAction> = []
        var eventPlaces: Set<ServerCharacteristicID> = []
        for wait in waits {
            switch wait.event {
            case .value(let place, _): valueWaits[place, default: []].insert(wait)
            case .notification(let place, _): eventPlaces.insert(place)
            case .controller(let action, _): deeds.insert(action)
            }
        }
        (self.valueWaits, self.controllerActions, self.notificationCharacteristics) = (valueWaits, deeds, eventPlaces)
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
        case .fault: break
        }
    }

    /// Whether something has met what is waited for.
    ///
    /// What controllers did is taken up to what met it: it counts for one expectation, and those behind it count what came
    /// later.
    mutating func consume(_ wait: ScenarioWait) -> Bool {
        switch wait.event {
        // "within: 0s" asks what is so now.
        case .value: return wait.limit > .zero && metValueEvents.contains(wait.event)
        case .controller, .notification:
            guard let index = otherEvents.firstIndex(where: wait.isMet) else { return false }
            otherEvents.removeFirst(index + 1)
            return true
        }
    }

    /// Forgets everything: something is changed, and what comes of that is to be told from what was before.
    mutating func removeAll() {
        metValueEvents = []
        otherEvents = []
    }

    private mutating func append(_ event: ScenarioEvent) {
        otherEvents.append(event)
        if otherEvents.count > Self.capacity { otherEvents.removeFirst(Self.capacity / 2) }
    }
}

/// The last facts, as far as a failing step tells of them.
struct EventHistory: Sendable {
    /// How many are told.
    private static let capacity = 8

    private var values: [ServerCharacteristicID: [CharacteristicValue?]] = [:]
    private var otherEvents: [ScenarioEvent] = []

    mutating func record(_ event: ScenarioEvent) {
        switch event {
        case .value(let place, let value):
            values[place, default: []].append(value)
            if values[place, default: []].count > Self.capacity { values[place]?.removeFirst() }
        case .controller, .notification:
            if otherEvents.last != event { otherEvents.append(event) }
            if otherEvents.count > Self.capacity { otherEvents.removeFirst() }
        case .fault: break
        }
    }

    /// What a characteristic's values were, the latest last.
    func values(of place: ServerCharacteristicID) -> [CharacteristicValue?] {
        values[place] ?? []
    }

    /// What controllers did.
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
                    + (names.characteristic(at: place)?.descriptor.text(of: value) ?? "–")
            }
        }
        return texts.isEmpty ? "no controller did anything" : texts.joined(separator: ", ")
    }
}
