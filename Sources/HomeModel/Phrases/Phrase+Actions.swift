public import AccessoryModel
internal import HAPCore

extension Phrase {
    /// The characteristics whose current values ``actions(in:values:)`` needs, for steps such as "brighter".
    public func neededSelectors(in home: Home) -> [CharacteristicSelector] {
        guard case .commands(let commands) = meaning else { return [] }
        return commands.flatMap { command in
            let types = command.changes.flatMap(\.neededTypes)
            return command.services.compactMap { home.service($0) }
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
    /// - Throws: ``HomeError``: ``HomeError/Code/openedByName`` for the rule above,
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
            for command in commands {
                for action in try command.actions(in: home, values) {
                    actions.removeAll { $0.characteristic == action.characteristic }
                    actions.append(action)
                }
            }
            return actions
        }
    }
}

extension PhraseCommand {
    fileprivate func actions(in home: Home, _ values: [CharacteristicSelector: CharacteristicValue]) throws(HomeError)
        -> [HomeAction]
    {
        let ids = Set(services)
        let services = home.accessories.flatMap(\.services).filter { ids.contains($0.id) }
        var actions: [HomeAction] = []
        // The first refusal of each change; `nil` once a service was changed by it.
        var refusals: [HomeError??] = changes.map { _ in .some(nil) }
        for service in services {
            let effect = PhraseEffect(
                service: service,
                value: { values[CharacteristicSelector(service: service.id, type: $0)] },
                isSpecific: specific.contains(service.id),
                isNamed: named.contains(service.id)
            )
            for (index, change) in changes.enumerated() {
                var failed: HomeError?
                do throws(PhraseEffect.Refusal) {
                    let set = try effect.settings(change)
                        .map { setting in
                            let selector = CharacteristicSelector(service: service.id, type: setting.type)
                            return HomeAction(characteristic: selector, value: setting.value)
                        }
                    // A change is made as a whole: a lamp is not switched on if its brightness is out of range.
                    failed =
                        set.lazy
                        .compactMap { Home.violation(of: $0, on: service, at: "\(home.name)/\(service.name)") }.first
                    if failed == nil {
                        actions += set
                        refusals[index] = .none
                    }
                } catch {
                    failed = self.error(error, service, change, at: home.name.text)
                }
                // What is named must not be left out silently.
                if let failed, named.contains(service.id) { throw failed }
                if let failed, case .some(nil) = refusals[index] { refusals[index] = failed }
            }
        }
        // Each change that was said must have an effect.
        for case .some(let refusal) in refusals {
            throw refusal ?? .unknown("service", "that matches", at: home.name.text)
        }
        try checkSafety(of: actions, in: home, values)
        return actions
    }

    /// Refuses to open, unlock or disarm what the phrase does not name.
    private func checkSafety(
        of actions: [HomeAction],
        in home: Home,
        _ values: [CharacteristicSelector: CharacteristicValue]
    ) throws(HomeError) {
        let opened = actions.filter { action in
            guard let service = home.service(action.characteristic.service) else { return false }
            let position = CharacteristicSelector(service: service.id, type: .currentPosition)
            return !openable.contains(service.id)
                && action.opensEntrance(of: service, at: values[position]?.number?.double)
        }
        guard !opened.isEmpty else { return }
        let names = opened.compactMap { home.service($0.characteristic.service)?.name.text }
        let commands = zip(opened, names).prefix(3).map { "\"\($0.characteristic.type.openingVerb) \($1)\"" }
        throw HomeError(
            .openedByName,
            at: names.joined(separator: ", "),
            "Nothing is opened, unlocked or disarmed unless a command names it; nothing was changed.",
            remedy: "Say \(commands.joined(separator: ", or ")); or run a scene."
        )
    }

    private func error(
        _ refusal: PhraseEffect.Refusal,
        _ service: HomeService,
        _ change: PhraseChange,
        at place: String
    ) -> HomeError {
        switch refusal {
        case .unknownValue(let type):
            return HomeError(
                .notFound,
                at: "\(place)/\(service.name)",
                "The current value of \(type) is not known, so it cannot be changed by a step.",
                remedy: "Check that the accessory can be reached, or say a value, such as 50%."
            )
        case .noMeaning:
            if case .value(let text, let types) = change, let type = types.first {
                guard let known = types.lazy.compactMap(service.characteristic).first else {
                    return .noSuchCharacteristic(type, of: service.name.text, at: "\(place)/\(service.name)")
                }
                return .invalidValue(text, of: known, at: "\(place)/\(service.name)")
            }
            return HomeError(
                .invalidValue,
                at: place,
                services.count == 1 || named.contains(service.id)
                    ? "\(service.name) is a \(service.effectiveType) and cannot do that."
                    : "Nothing of what is named can do that.",
                remedy: Self.remedy(for: service)
            )
        }
    }
}

extension PhraseCommand {
    /// Returns what can be said of a service.
    private static func remedy(for service: HomeService) -> String {
        if service.characteristic(.targetHeatingCoolingState) != nil {
            return "Say heat, cool, auto, off or 21 degrees."
        }
        return switch service.primaryCharacteristic?.type {
        case .targetDoorState, .targetPosition: "Say open or close."
        case .lockTargetState: "Say lock or unlock."
        default: "Say one of its properties and a value, such as Brightness 50%."
        }
    }
}

extension HomeService {
    /// Whether the service is a door or a window that moves to a position.
    fileprivate var isPositioned: Bool { [.door, .window].contains(type) }
}

extension CharacteristicType {
    /// The verb for an action that unlocks, disarms or opens something.
    fileprivate var openingVerb: String {
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
    fileprivate func opensEntrance(of service: HomeService, at position: Double?) -> Bool {
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
