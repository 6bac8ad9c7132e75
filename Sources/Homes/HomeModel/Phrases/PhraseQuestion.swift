public import AccessoryModel

/// A question about a home, which never changes anything.
public enum PhraseQuestion: Sendable, Hashable {
    /// How many of the services a question is about.
    public enum Quantifier: Sendable, Hashable {
        /// "Are all lights on?"
        case all
        /// "Is any light on?", "did I leave a light on?"
        case any
        /// "Which lights are on?"
        case which
    }

    /// Whether something is true of services.
    case fact(ServiceFact, of: [ObjectID<HomeService>], Quantifier)
    /// The values of the first of these properties that a service has.
    case value([CharacteristicType], of: [ObjectID<HomeService>])
    /// The state of services in words.
    case status(of: [ObjectID<HomeService>])
    /// Whether users are at home.
    case presence(PresenceState<ObjectID<HomeUser>>)

    /// The services that the question is about.
    public var services: [ObjectID<HomeService>] {
        switch self {
        case .fact(_, let services, _), .value(_, let services), .status(let services): services
        case .presence: []
        }
    }
}

extension PhraseReader {
    /// What a question consists of.
    private struct Parts {
        var items: [PhraseTargetReader.Item] = []
        var facts: [ServiceFact] = []
        var properties: [CharacteristicType] = []
        /// The types of sensors that can answer the question.
        var sensors: [ServiceType] = []
        var quantifier = PhraseQuestion.Quantifier.all
        /// Whether services are described, so that "lock" is a type and not a state.
        var describesOnly = false
        var isForgotten = false
        /// Whether it asks what may be done, so that yes or no would not answer it.
        var isPermission = false
        /// The users, or the people that sensors detect.
        var people: PresenceState<ObjectID<HomeUser>>?
    }

    /// Returns whether tokens begin like a question.
    static func isQuestion(_ tokens: [PhraseToken]) -> Bool {
        let significant = significant(tokens)
        guard let first = significant.first else { return false }
        return asks(first) && (first.targetEntries.isEmpty || significant.dropFirst().contains(where: \.isTarget))
    }

    private static func significant(_ tokens: [PhraseToken]) -> [PhraseToken] {
        tokens.filter { !$0.has(.filler) || $0.isTarget }
    }

    /// Returns the question that tokens ask.
    ///
    /// - Parameter describesOnly: Whether the tokens must describe services, and not ask for a state.
    func question(_ tokens: [PhraseToken], describesOnly: Bool = false) throws(HomeError) -> PhraseQuestion {
        let significant = Self.significant(tokens)
        if let camera = tokens.first(where: { $0.has(.camera) }) { throw HomeError(.camera, in: camera.text) }
        var parts = Parts()
        parts.describesOnly = describesOnly
        if significant.first?.has(.batteryLow) == true { parts.quantifier = .which }
        for (index, token) in significant.enumerated() {
            try read(token, significant, at: index, into: &parts)
        }
        if let people = parts.people {
            let isAboutServices = parts.items.contains { if case .token = $0 { true } else { false } }
            guard isAboutServices else { return .presence(people) }
            // A sensor knows neither names nor numbers.
            guard people == .anyone else { throw HomeError(.countedPeople, in: Self.text(of: tokens)) }
            parts.sensors = [.occupancySensor, .motionSensor]
        }
        guard !describesOnly || parts.facts.isEmpty else { throw HomeError(.describedState, in: Self.text(of: tokens)) }
        var fact = parts.facts.first
        guard Set(parts.facts).count <= 1 else {
            throw HomeError(.contradiction, in: Self.text(of: tokens))
        }
        if parts.isForgotten { fact = fact?.opposite }
        if fact == .locked || fact == .unlocked { parts.items = parts.items.map(\.meaningLocks) }
        if let exception = parts.items.lastIndex(where: { if case .except = $0 { true } else { false } }),
            !parts.items[exception...].contains(where: \.describes)
        {
            throw HomeError(.negatedQuestion, in: Self.text(of: tokens))
        }
        let reader = PhraseTargetReader(directory: directory, home: home)
        if parts.quantifier != .all { parts.items.insert(.any, at: 0) }
        var services = try reader.target(of: parts.items)?.services ?? directory.services
        if !parts.sensors.isEmpty {
            services = services.filter { parts.sensors.contains($0.effectiveType) }
            guard !services.isEmpty else {
                throw .unknown("service", "that can tell this", at: home.name.text)
            }
            fact = fact ?? .triggered
        }
        // One sensor that detects something, or one service that does not answer, is enough.
        if let fact, fact == .triggered || fact.isGeneral, parts.quantifier == .all { parts.quantifier = .any }
        let ids = services.map(\.id)
        if !parts.properties.isEmpty, fact == nil { return try value(parts.properties, of: services) }
        let areSensors = services.allSatisfy { ServiceFact.all(for: $0) == [.triggered] }
        if let fact = fact ?? (areSensors && parts.quantifier != .which ? .triggered : nil) {
            // Only services that can have this fact count.
            let asked = services.filter { ServiceFact.all(for: $0).contains(fact) || fact.isGeneral }.map(\.id)
            guard !asked.isEmpty else {
                // Neither yes nor no would be true, but the state tells more than a refusal.
                if services.count == 1 { return .status(of: ids) }
                throw .unknown("service", "that can be \(fact.rawValue)", at: home.name.text)
            }
            if parts.isPermission { return .status(of: asked) }
            return .fact(fact, of: asked, areSensors && parts.quantifier == .all ? .any : parts.quantifier)
        }
        return .status(of: ids)
    }

    /// Returns whether a phrase that begins with a token is a question.
    private static func asks(_ token: PhraseToken) -> Bool {
        token.words.contains { word in
            switch word {
            case .isIt, .mayI, .did, .which, .who, .how, .status, .any, .someone, .everyone, .noOne, .batteryLow: true
            default: false
            }
        }
    }

    private func read(
        _ token: PhraseToken,
        _ tokens: [PhraseToken],
        at index: Int,
        into parts: inout Parts
    ) throws(HomeError) {
        let isOnlyTarget = !tokens.indices.contains { $0 != index && tokens[$0].isTarget }
        if !token.targetEntries.isEmpty, isOnlyTarget || !token.words.contains(where: \.isGrammatical) {
            parts.items.append(token.isEverything ? .everything : .token(token))
            return
        }
        let hasOtherState = tokens.indices.contains { $0 != index && tokens[$0].state != nil }
        if !token.types.isEmpty, !token.has(.batteryLow), token.state == nil || hasOtherState || parts.describesOnly {
            let isMode = token.words.contains { if case .mode = $0 { true } else { false } }
            if !isMode || !tokens.indices.contains(where: { $0 != index && tokens[$0].isTarget }) {
                parts.items.append(.token(token))
                return
            }
        }
        if !token.properties.isEmpty, token.words.isEmpty {
            let key = ObjectName.key(of: token.text)
            for type in token.properties {
                // "The target temperature" is exactly that, and "the temperature" is the current one.
                let isExact = Catalog.characteristic(type).map { ObjectName.key(of: $0.name) } == key
                let current = Self.current(type)
                parts.properties += isExact && current.first != type ? [type] : current
            }
            return
        }
        guard
            let word = token.state.map(PhraseWord.state)
                ?? token.words.first(where: { $0 == .everything }) ?? token.words.first
        else {
            if let user = token.user {
                if case .user(let other) = parts.people, other != user {
                    throw HomeError(.severalUsers, in: Self.text(of: tokens))
                }
                parts.people = .user(user)
                return
            }
            throw token.isScene ? HomeError(.askedScene, in: token.text) : unknownWord(token)
        }
        try read(word, token, tokens, at: index, into: &parts)
    }

    private func read(
        _ word: PhraseWord,
        _ token: PhraseToken,
        _ tokens: [PhraseToken],
        at index: Int,
        into parts: inout Parts
    ) throws(HomeError) {
        switch word {
        case .state(.on) where token.has(.place) && isPlace(tokens, after: index):
            parts.items.append(.place)
        case .state(let state): parts.facts.append(state.fact)
        case .arm: parts.facts.append(.armed)
        case .disarm: parts.facts.append(.disarmed)
        case .triggered: parts.facts.append(.triggered)
        case .batteryLow: parts.facts.append(.lowBattery)
        case .unreachable: parts.facts.append(.unreachable)
        case .hazard(.smoke): parts.sensors.append(.smokeSensor)
        case .hazard(.leak): parts.sensors.append(.leakSensor)
        case .hazard(.carbonMonoxide): parts.sensors.append(.carbonMonoxideSensor)
        case .how(let adjective): parts.properties += Self.properties(of: adjective)
        case .which: parts.quantifier = .which
        case .any, .some: parts.quantifier = .any
        case .leave: parts.quantifier = .any
        case .forget:
            parts.isForgotten = true
            parts.quantifier = .any
        case .did: break
        case .who, .someone: parts.people = parts.people ?? .anyone
        case .everyone: parts.people = .everyone
        case .noOne: parts.people = .noOne
        case .everything:
            // "Anything" is any service, and "everything" is all of them.
            if token.has(.any) { parts.quantifier = .any }
            parts.items.append(.everything)
        case .all: parts.items.append(.all)
        case .and: parts.items.append(.and)
        case .or:
            parts.quantifier = .any
            parts.items.append(.and)
        case .only: throw HomeError(.only, in: token.text)
        case .condition: throw HomeError(.conditional, in: token.text)
        case .except: parts.items.append(.except)
        case .place: parts.items.append(.place)
        case .to where token.has(.place): parts.items.append(.place)
        case .here:
            throw .here(token.text, in: home)
        case .mayI: parts.isPermission = true
        case .filler, .determiner, .subject, .listener, .want, .past, .polite, .verb, .to, .isIt, .status, .mode(.home),
            .partOf:
            break
        case .level(.low) where tokens.contains { $0.has(.batteryLow) }:
            if !parts.facts.contains(.lowBattery) { parts.facts.append(.lowBattery) }
        case .step(.dimmer), .dark, .darkAlone: parts.properties += Self.properties(of: .bright)
        case .color, .white:
            // "Are the lights red?" asks for their color, but "the red lights" and "which lights are red?" would choose
            // lights by it.
            guard index == tokens.count - 1, parts.facts.isEmpty, parts.quantifier != .which, !parts.describesOnly
            else {
                throw HomeError(.adjective, in: token.text)
            }
            if case .white = word { parts.properties.append(.colorTemperature) } else { parts.properties.append(.hue) }
        case .later where index == 0: throw HomeError(.anotherTime, in: token.text)
        default: throw token.isScene ? HomeError(.askedScene, in: token.text) : unknownWord(token)
        }
    }

    private static func text(of tokens: [PhraseToken]) -> String { tokens.map(\.text).joined(separator: " ") }

    private func isPlace(_ tokens: [PhraseToken], after index: Int) -> Bool {
        tokens.indices.contains(index + 1) && tokens[index + 1].isPlace
            && tokens.indices.contains { $0 != index && tokens[$0].state != nil }
    }

    private func value(_ properties: [CharacteristicType], of services: [HomeService]) throws(HomeError)
        -> PhraseQuestion
    {
        let known = services.filter { service in properties.contains { service.characteristic($0) != nil } }
        guard !known.isEmpty else { throw .unknown("service", "that has this property", at: home.name.text) }
        return .value(properties, of: known.map(\.id))
    }

    /// Returns the characteristic with the current value of a target, and then the target.
    private static func current(_ type: CharacteristicType) -> [CharacteristicType] {
        switch type {
        case .targetTemperature: [.currentTemperature, type]
        case .targetRelativeHumidity: [.currentRelativeHumidity, type]
        case .targetPosition: [.currentPosition, type]
        case .brightness: [type, .currentAmbientLightLevel]
        default: [type]
        }
    }

    private static func properties(of adjective: PhraseAdjective) -> [CharacteristicType] {
        switch adjective {
        case .warm: [.currentTemperature]
        case .bright: [.currentAmbientLightLevel, .brightness]
        case .humid: [.currentRelativeHumidity]
        case .open: [.currentPosition, .currentDoorState]
        case .full: [.batteryLevel]
        case .general: []
        }
    }
}

extension PhraseState {
    /// The fact that corresponds to the state.
    var fact: ServiceFact {
        switch self {
        case .on: .on
        case .off: .off
        case .open: .open
        case .closed: .closed
        case .locked: .locked
        case .unlocked: .unlocked
        }
    }
}
