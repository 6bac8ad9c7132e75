internal import AccessoryModel
internal import HAPCore

extension PhraseCommand {
    /// What a change did to the services of a term.
    private struct Result {
        /// The properties that it set, apart from switching something on.
        var types: Set<CharacteristicType> = []
        var hasEffect = false
        /// Whether it was for services that are off.
        var isOff = false
        /// The first reason why a service was left out.
        var refusal: HomeError?

        mutating func add(_ other: Self) {
            types.formUnion(other.types)
            hasEffect = hasEffect || other.hasEffect
            isOff = isOff || other.isOff
            refusal = refusal ?? other.refusal
        }
    }

    /// Returns the actions of the command.
    ///
    /// A service for which a change has no meaning is left out, unless it is named. But each change has an effect on
    /// each of the terms: nothing that was said is left out.
    func actions(in home: Home, _ values: [CharacteristicSelector: CharacteristicValue]) throws(HomeError)
        -> [HomeAction]
    {
        let services = home.services(withIDs: services)
        let terms = terms.isEmpty ? [PhraseTerm(text: "", services: Set(services.map(\.id)))] : terms
        let newMode = changes.lazy.compactMap { if case .mode(let mode) = $0 { mode } else { nil } }.first
        var results = Array(repeating: Array(repeating: Result(), count: changes.count), count: terms.count)
        var actions: [HomeAction] = []
        for service in services {
            let places = terms.indices.filter { terms[$0].services.contains(service.id) }
            let effect = PhraseEffect(
                service: service,
                value: { values[CharacteristicSelector(service: service.id, type: $0)] },
                isSpecific: specific.contains(service.id),
                isNamed: named.contains(service.id),
                conditioning: conditioning,
                newMode: newMode
            )
            for (index, change) in changes.enumerated() {
                var result = Result()
                do throws(PhraseEffect.Refusal) {
                    let set = try effect.settings(change)
                        .map { setting in
                            let selector = CharacteristicSelector(service: service.id, type: setting.type)
                            return HomeAction(characteristic: selector, value: setting.value)
                        }
                    // A change is made as a whole: a lamp is not switched on if its brightness is out of range.
                    result.refusal =
                        set.lazy
                        .compactMap { Home.violation(of: $0, on: service, at: "\(home.name)/\(service.name)") }.first
                    if result.refusal == nil {
                        actions += set
                        result.hasEffect = true
                        result.types = Set(set.map(\.characteristic.type)).subtracting([.on, .active])
                    }
                } catch {
                    if case .isOff = error { result.isOff = true }
                    let isOnly =
                        services.count == 1 || named.contains(service.id)
                        || places.contains { terms[$0].services.count == 1 }
                    // Only the first reason is reported.
                    if isOnly || error.isFatal || places.contains(where: { results[$0][index].refusal == nil }) {
                        result.refusal = self.error(error, service, isOnly: isOnly, change, at: home.name.text)
                    }
                    if error.isFatal, let refusal = result.refusal { throw refusal }
                }
                // What is named must not be left out silently.
                if let refusal = result.refusal, named.contains(service.id) { throw refusal }
                for place in places { results[place][index].add(result) }
            }
        }
        try check(results, of: terms, in: home)
        try checkSafety(of: actions, on: services, values)
        return try actions.withoutRepetitions(in: home)
    }

    /// Checks that each change has an effect on each term, and one meaning for it.
    private func check(_ results: [[Result]], of terms: [PhraseTerm], in home: Home) throws(HomeError) {
        for (index, change) in changes.enumerated() {
            for (term, results) in zip(terms, results) {
                let result = results[index]
                if change.hasOneMeaning, result.types.count > 1 {
                    throw .severalProperties(result.types, term.text)
                }
                guard !result.hasEffect, !result.isOff else { continue }
                // The place of an error about a value is that of its service.
                var error = result.refusal ?? .unknown("service", "that matches", at: home.name.text)
                if terms.count > 1, error.path == home.name.text { error.path = ObjectName.quoted(term.text) }
                throw error
            }
            guard results.contains(where: { $0[index].hasEffect }) else {
                throw .nothingIsOn(terms.map(\.text).joined(separator: " "), in: home)
            }
            // A number without a unit is not a percentage here and a temperature there.
            if case .number(_, nil, []) = change {
                let types = Set(results.flatMap { $0[index].types })
                let temperatures = types.intersection(CharacteristicType.climate)
                if !temperatures.isEmpty, temperatures != types {
                    throw .severalProperties(types, terms.map(\.text).joined(separator: " and "))
                }
            }
        }
    }

    /// Refuses to open, unlock or disarm what the phrase does not name.
    private func checkSafety(
        of actions: [HomeAction],
        on services: [HomeService],
        _ values: [CharacteristicSelector: CharacteristicValue]
    ) throws(HomeError) {
        let known = Dictionary(services.map { ($0.id, $0) }) { first, _ in first }
        let opened = actions.filter { action in
            guard let service = known[action.characteristic.service] else { return false }
            let position = CharacteristicSelector(service: service.id, type: .currentPosition)
            return !openable.contains(service.id)
                && action.opensEntrance(of: service, at: values[position]?.number?.double)
        }
        guard !opened.isEmpty else { return }
        let names = opened.compactMap { known[$0.characteristic.service]?.name.text }
        let commands = zip(opened, names).prefix(3).map { "\"\($0.characteristic.type.openingVerb) \($1)\"" }
        throw HomeError(
            .mustBeNamed,
            at: names.joined(separator: ", "),
            "Nothing is opened, unlocked or disarmed unless a command names it; nothing was changed.",
            remedy: "Say \(commands.joined(separator: ", or ")); or run a scene."
        )
    }

    private func error(
        _ refusal: PhraseEffect.Refusal,
        _ service: HomeService,
        isOnly: Bool,
        _ change: PhraseChange,
        at place: String
    ) -> HomeError {
        let name = service.name.text
        func refused(_ reason: String, remedy: String, _ code: HomeError.Code = .invalidValue) -> HomeError {
            HomeError(code, at: "\(place)/\(name)", reason, remedy: remedy)
        }
        switch refusal {
        case .unknownValue(let type):
            return refused(
                "The current value of \(type) is not known, so it cannot be changed by a step.",
                remedy: "Check that the accessory can be reached, or say a value, such as 50%.",
                .notFound
            )
        case .isOff: return refused("\(name) is off.", remedy: "Turn it on, or say a value, such as 50%.")
        case .hasTwoTemperatures:
            return refused(
                "\(name) heats and cools, so it has two temperatures.",
                remedy: "Say which, such as \"set the heating to 20 degrees\", or \"the cooling\".",
                .ambiguousName
            )
        case .isInMode(let mode):
            return refused(
                "\(name) is set to \(mode == .heat ? "heat" : "cool").",
                remedy: "Set it to \(mode == .heat ? "cool" : "heat") or to auto first."
            )
        case .offEndsOtherMode(.automatic):
            let isHeating = conditioning.contains(.heat)
            return refused(
                "\(name) is set to auto, so off ends the \(isHeating ? "cooling" : "heating"), too.",
                remedy: "Say \"set \(name) to \(isHeating ? "cool" : "heat")\", or \"turn off \(name)\"."
            )
        case .offEndsOtherMode(let mode):
            return refused(
                "\(name) is set to \(mode.rawValue), so there is no \(mode == .heat ? "cooling" : "heating") to end.",
                remedy: "To turn it off as a whole, say \"turn off \(name)\"."
            )
        case .noMeaning:
            if case .color = change, isOnly, service.characteristic(.on) != nil {
                return HomeError(
                    .invalidValue,
                    at: place,
                    "\(name) has no color that can be set.",
                    remedy: "Say on, off, or a value of it, such as 50%."
                )
            }
            if case .value(let text, let types) = change, let type = types.first {
                guard let known = types.lazy.compactMap(service.characteristic).first else {
                    return .noSuchCharacteristic(type, of: name, at: "\(place)/\(name)")
                }
                return .invalidValue(text, of: known, at: "\(place)/\(name)")
            }
            return HomeError(
                .invalidValue,
                at: place,
                isOnly
                    ? "\(name) is a \(service.effectiveType) and cannot do that."
                    : "None of these services can do that.",
                remedy: Self.remedy(for: service, change)
            )
        }
    }

    /// Returns what can be said of a service instead of a change.
    private static func remedy(for service: HomeService, _ change: PhraseChange) -> String {
        if service.characteristic(.targetHeatingCoolingState) != nil {
            return "Say heat, cool, auto, off or 21 degrees."
        }
        let words: String? =
            switch service.primaryCharacteristic?.type {
            case .targetDoorState, .targetPosition: "open or close"
            case .lockTargetState: "lock or unlock"
            case _ where service.characteristic(.securitySystemTargetState) != nil: "arm, disarm, home, away or night"
            default: nil
            }
        guard let words else { return "Say a property and a value, such as Brightness 50%." }
        let isSwitched = change == .state(.on) || change == .state(.off)
        return isSwitched ? "\"On\" and \"off\" are for what can be switched; say \(words)." : "Say \(words)."
    }
}

extension PhraseChange {
    /// Whether the change is only understood if it is about the same property of everything that a term means.
    fileprivate var hasOneMeaning: Bool {
        switch self {
        case .number(_, let unit, let properties): properties.isEmpty && (unit == nil || unit == .percent)
        case .level(_, let properties): properties.isEmpty
        case .move: true
        default: false
        }
    }
}

extension HomeError {
    /// A value could be that of several properties.
    fileprivate static func severalProperties(_ types: Set<CharacteristicType>, _ text: String) -> HomeError {
        PhraseTargetReader.ambiguous([text], types.map(\.description).sorted())
    }

    /// A step is not for lamps and fans that are off.
    fileprivate static func nothingIsOn(_ text: String, in home: Home) -> HomeError {
        HomeError(
            .invalidValue,
            at: text.isEmpty ? home.name.text : ObjectName.quoted(text),
            "None of these services is on, and a step changes only what is on.",
            remedy: "Name one lamp, or say a value, such as 50%."
        )
    }
}
