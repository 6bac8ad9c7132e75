public import AccessoryModel
internal import HAPCore

extension Phrase {
    /// The characteristics whose current values ``actions(in:values:)`` needs, for steps such as "brighter".
    public func neededSelectors(in home: Home) -> [CharacteristicSelector] {
        guard case .commands(let commands) = meaning else { return [] }
        return commands.flatMap { command in
            let types = command.changes.flatMap(\.neededTypes)
            return home.services(withIDs: command.services)
                .flatMap { service in
                    // Whether a value opens a door or a window depends on where it is.
                    let isChecked = service.isPositioned && !command.openable.contains(service.id)
                    return Set(types + (isChecked ? [.currentPosition] : [])).sorted { $0.description < $1.description }
                        .filter { service.characteristic($0)?.permissions.contains(.read) == true }
                        .map { CharacteristicSelector(service: service.id, type: $0) }
                }
        }
    }

    /// Returns the actions of the phrase; none for a question.
    ///
    /// A service for which a change has no meaning is skipped, as long as another one is changed.
    ///
    /// Nothing is unlocked or disarmed, and no door or window is opened, unless the phrase names the service itself.
    /// A scene may do so.
    ///
    /// - Parameters:
    ///   - home: The home.
    ///   - values: The current values of ``neededSelectors(in:)``.
    /// - Throws: ``HomeError``: ``HomeError/Code/mustBeNamed`` for the rule above,
    ///   ``HomeError/Code/invalidValue`` if no service can be changed in this way.
    public func actions(in home: Home, values: [CharacteristicSelector: CharacteristicValue]) throws(HomeError)
        -> [HomeAction]
    {
        switch meaning {
        case .question: return []
        case .scene(let id):
            guard let scene = home.scene(id) else { throw .unknown("scene", "\(id)", at: home.name.text) }
            return scene.actions
        case .commands(let commands):
            var actions: [HomeAction] = []
            for command in commands { actions += try command.actions(in: home, values) }
            return try actions.withoutRepetitions(in: home)
        }
    }

    /// Returns the services that the phrase includes but does not change, such as a lamp without a color in "make the
    /// lights red".
    ///
    /// Sensors and other services that cannot be controlled are not among them.
    ///
    /// - Parameters:
    ///   - actions: The actions of the phrase.
    ///   - home: The home.
    public func unchangedServices(by actions: [HomeAction], in home: Home) -> [HomeService] {
        guard case .commands(let commands) = meaning else { return [] }
        var known = Set(actions.map(\.characteristic.service))
        return commands.flatMap { home.services(withIDs: $0.services) }
            .filter { service in
                let isControlled =
                    service.primaryCharacteristic != nil || service.characteristic(.targetTemperature) != nil
                return isControlled && known.insert(service.id).inserted
            }
    }
}

extension HomeService {
    /// Whether the service is a door or a window that moves to a position.
    var isPositioned: Bool { [.door, .window].contains(type) }
}

extension CharacteristicType {
    /// The verb for an action that unlocks, disarms or opens something.
    var openingVerb: String {
        switch self {
        case .lockTargetState: "unlock"
        case .securitySystemTargetState: "disarm"
        default: "open"
        }
    }
}

extension HomeAction {
    /// Returns whether the action unlocks a lock, disarms an alarm, or opens a door or a window.
    ///
    /// - Parameter position: The current position of a door or a window; closed if it is not known.
    func opensEntrance(of service: HomeService, at position: Double?) -> Bool {
        let number = value.number?.double ?? (value.bool.map { $0 ? 1 : 0 })
        return switch characteristic.type {
        case .lockTargetState: number == 0
        case .targetDoorState: number == 0
        case .securitySystemTargetState: number == 3
        case .targetPosition: service.isPositioned && (number ?? 0) > (position ?? 0)
        default: false
        }
    }
}

extension [HomeAction] {
    /// Returns the actions without those that a later one repeats.
    ///
    /// - Throws: ``HomeError`` if two of them set a characteristic to different values, as in "lock the front door and
    ///   unlock the front door".
    func withoutRepetitions(in home: Home) throws(HomeError) -> [HomeAction] {
        var known: [CharacteristicSelector: (value: CharacteristicValue, position: Int)] = [:]
        for (index, action) in enumerated() {
            if let value = known[action.characteristic]?.value, value != action.value {
                let name = home.service(action.characteristic.service)?.name.text ?? ""
                throw .severalValues(action.characteristic.type, of: "\(home.name)/\(name)")
            }
            known[action.characteristic] = (action.value, index)
        }
        return enumerated().filter { known[$1.characteristic]?.position == $0 }.map(\.element)
    }
}
