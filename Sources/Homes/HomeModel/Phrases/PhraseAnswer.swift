public import AccessoryModel
internal import HAPCore

/// The answer to a question.
public struct PhraseAnswer: Sendable, Hashable {
    /// A service in an answer, with its state or value in words.
    public struct Entry: Sendable, Hashable {
        /// The name of the service.
        public var name: String
        /// The state or the value.
        public var text: String
    }

    /// Yes or no; `nil` if the question asks for more, or if the answer is not known.
    public var isYes: Bool?
    /// The answer in a sentence.
    public var text: String
    /// The services that the answer is about.
    public var entries: [Entry] = []

    /// Returns the characteristics whose values an answer needs.
    public static func neededSelectors(for question: PhraseQuestion, in home: Home) -> [CharacteristicSelector] {
        let services = home.services(withIDs: question.services)
        guard case .value(let types, _) = question else { return services.flatMap(ServiceStatus.selectors) }
        return services.compactMap { service in
            types.first { service.characteristic($0)?.permissions.contains(.read) == true }
                .map { CharacteristicSelector(service: service.id, type: $0) }
        }
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - home: The home.
    ///   - values: The current values of ``neededSelectors(for:in:)``; those that could not be read are missing.
    public init(
        to question: PhraseQuestion,
        in home: Home,
        _ values: [CharacteristicSelector: CharacteristicValue]
    ) {
        let services = home.services(withIDs: question.services)
        switch question {
        case .presence(let people): self.init(presenceOf: people, in: home)
        case .value:
            let index = HomeIndex(home)
            self.init(
                listing: Self.neededSelectors(for: question, in: home)
                    .map { selector in
                        let text = values[selector].map { index.text(of: $0, for: selector) } ?? "unreachable"
                        return Entry(name: index.text(of: selector), text: text)
                    }
            )
        case .status:
            self.init(
                listing: services.map { service in
                    Entry(name: service.name.text, text: ServiceStatus(of: service, values).text)
                }
            )
        case .fact(let fact, _, let quantifier):
            self.init(fact, quantifier, of: services, values)
        }
    }

    private init(listing entries: [Entry]) {
        self.entries = entries
        text = entries.map { "\($0.name): \($0.text)" }.joined(separator: ", ") + "."
    }

    private init(presenceOf people: PresenceState<ObjectID<HomeUser>>, in home: Home) {
        let users = home.users.filter { if case .user(let id) = people { $0.id == id } else { true } }
        let (present, absent) = (users.filter { $0.isHome == true }, users.filter { $0.isHome == false })
        let isKnown = !users.isEmpty && present.count + absent.count == users.count
        entries = users.map { user in
            Entry(name: user.name.text, text: user.isHome.map { $0 ? "home" : "away" } ?? "unknown")
        }
        isYes =
            switch people {
            case .anyone, .user: present.isEmpty ? (isKnown ? false : nil) : true
            case .noOne: present.isEmpty ? (isKnown ? true : nil) : false
            case .everyone: absent.isEmpty ? (isKnown ? true : nil) : false
            }
        let named: [HomeUser]
        switch (people, isYes) {
        case (_, nil): named = users
        case (.everyone, false): named = absent
        default: named = present.isEmpty ? absent : present
        }
        let names = Self.list(named.map(\.name.text))
        let state = "\(named.count == 1 ? "is" : "are") \(named.first?.isHome == true ? "home" : "away")"
        text =
            switch (people, isYes) {
            case (.user, nil): "It is not known whether \(names) is home; mark them as home or away."
            case (_, nil): "It is not known who is home; mark the users as home or away."
            case (.anyone, false): "No one is home."
            case (.noOne, true): "Yes, no one is home."
            case (.everyone, true): "Yes, everyone is home."
            case (_, true): "\(names) \(state)."
            case (_, false): "No, \(names) \(state)."
            }
    }

    private init(
        _ fact: ServiceFact,
        _ quantifier: PhraseQuestion.Quantifier,
        of services: [HomeService],
        _ values: [CharacteristicSelector: CharacteristicValue]
    ) {
        let states = services.map { (name: $0.name.text, status: ServiceStatus(of: $0, values)) }
        let matching = states.filter { $0.status.facts.contains(fact) }
        let silent = states.filter { fact != .unreachable && $0.status.facts.contains(.unreachable) }
        let others = states.filter { !$0.status.facts.contains(fact) && !$0.status.facts.contains(.unreachable) }
        let unknown = silent.isEmpty ? "" : " Not reachable: \(Self.list(silent.map(\.name)))."
        entries = (quantifier == .all ? states : matching).map { Entry(name: $0.name, text: $0.status.text) }
        switch quantifier {
        case .all:
            isYes = !others.isEmpty || fact == .unreachable && matching.isEmpty ? false : silent.isEmpty ? true : nil
            if let only = states.first, states.count == 1, isYes != nil {
                text = "\(isYes == true ? "Yes" : "No"). \(only.name): \(only.status.text)."
            } else if isYes == true {
                text = "Yes."
            } else if isYes == nil {
                text = "It is not known."
            } else if matching.isEmpty {
                text = "No."
            } else {
                text = "No: \(Self.list(others.map { "\($0.name) (\($0.status.text))" }))."
            }
        case .any:
            isYes = !matching.isEmpty ? true : silent.isEmpty ? false : nil
            text =
                isYes == true
                ? "Yes: \(Self.list(matching.map(\.name)))." : isYes == false ? "No." : "It is not known."
        case .which:
            text =
                if !matching.isEmpty {
                    "\(Self.list(matching.map(\.name)))."
                } else if silent.isEmpty {
                    "Nothing is \(fact.text)."
                } else if silent.count == states.count {
                    "It is not known."
                } else {
                    "Nothing that can be reached is \(fact.text)."
                }
        }
        text += unknown
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
