internal import AccessoryModel
internal import HAPCore

/// The services that a part of a phrase describes.
struct PhraseTarget {
    /// The services, in the home's order.
    var services: [HomeService] = []
    /// What is described between two words such as "and", each with its services.
    var terms: [PhraseTerm] = []
    /// The services that the phrase names one by one: by their own names, or as the only one of a type.
    var named: Set<ObjectID<HomeService>> = []
    /// The services that can be opened, unlocked and disarmed: those that are named, and the only lock, door or alarm of
    /// an accessory that is named.
    var openable: Set<ObjectID<HomeService>> = []
    /// The services of which the type, the group, the accessory or the name was said, and not only a place.
    var specific: Set<ObjectID<HomeService>> = []
    /// The exceptions as they were said, with whether they exclude something.
    var exceptions: [String: Bool] = [:]
}

/// The services that a part of a description means, such as one of the two in "the door and the lights".
struct PhraseTerm: Sendable, Hashable {
    /// The words of the phrase.
    var text: String
    var services: Set<ObjectID<HomeService>>
}

/// A reader of the description of services: names, types, places, unions and exceptions.
struct PhraseTargetReader {
    /// A part of the description.
    enum Item {
        case token(PhraseToken)
        case and
        case except
        /// A preposition before a place.
        case place
        case all
        case any
        case everything
        case article

        /// Whether it describes services by itself.
        var describes: Bool {
            switch self {
            case .token, .everything: true
            case .and, .except, .place, .all, .any, .article: false
            }
        }

        /// The same, but with locks in addition to doors: "lock all doors".
        var meaningLocks: Item {
            guard case .token(var token) = self, token.types.contains(.door) else { return self }
            token.types.append(.lockMechanism)
            return .token(token)
        }
    }

    /// What is described between two words such as "and".
    private struct Term {
        var entries: [[HomeDirectory.Entry]] = []
        var types: [ServiceType] = []
        var isPlural = false
        var isAll = false
        /// Whether a name is in the plural instead of the singular, or the reverse, as in "the front doors".
        var hasOtherNumber = false
        /// The tokens that name objects and whose words also mean a type, with their places in `entries`.
        var namesakes: [(place: Int, types: [ServiceType], isPlural: Bool)] = []
        var hasArticle = false
        /// Whether its place follows its type, as in "the lights in the hall".
        var hasPlaceAfterType = false
        var texts: [String] = []

        var isEmpty: Bool { entries.isEmpty && types.isEmpty && !isAll }
        /// Whether only places are named.
        var isPlaceOnly: Bool {
            types.isEmpty && !entries.isEmpty
                && entries.allSatisfy { $0.allSatisfy { [.room, .zone, .home].contains($0.kind) } }
        }
        var hasNoPlace: Bool { entries.isEmpty }
    }

    let directory: HomeDirectory
    let home: Home

    /// Returns the services that are described, or `nil` if nothing is.
    ///
    /// - Throws: ``HomeError`` if the description matches nothing, or has several meanings.
    func target(of items: [Item]) throws(HomeError) -> PhraseTarget? {
        var lists: (included: [Term], excluded: [Term]) = ([], [])
        var term = Term()
        var isExcluding = false
        func end() throws(HomeError) {
            guard !term.isEmpty else { return }
            try chooseTypes(&term)
            if isExcluding { lists.excluded.append(term) } else { lists.included.append(term) }
            term = Term()
        }
        for item in items {
            switch item {
            case .and: try end()
            case .except:
                try end()
                isExcluding = true
            case .article: if term.isEmpty { term.hasArticle = true }
            case .place: break
            case .all, .any: term.isAll = true
            case .everything:
                term.isAll = true
                term.isPlural = true
            case .token(let token):
                let entries = Self.preferred(token.targetEntries)
                if !entries.isEmpty {
                    if !term.types.isEmpty { term.hasPlaceAfterType = true }
                    if let namesake = token.namesake {
                        term.namesakes.append((term.entries.count, namesake.types, namesake.isPlural))
                    }
                    term.hasOtherNumber = term.hasOtherNumber || token.isOtherNumber
                    term.entries.append(entries)
                } else if term.types.isEmpty {
                    term.types = token.types
                    term.isPlural = token.isPlural
                } else {
                    // Two words for types, as in "window blinds", mean what both mean.
                    let both = term.types.filter(token.types.contains)
                    guard !both.isEmpty else {
                        throw HomeError(.contradiction, in: (term.texts + [token.text]).joined(separator: " "))
                    }
                    (term.types, term.isPlural) = (both, token.isPlural)
                }
                if !token.text.isEmpty { term.texts.append(token.text) }
            }
        }
        try end()
        // "Not" without anything that is excluded reverses the meaning: "the door, not open".
        guard !isExcluding || !lists.excluded.isEmpty else { throw .reversed }
        guard !lists.included.isEmpty || !lists.excluded.isEmpty else { return nil }
        Self.distribute(&lists.included)
        var target = PhraseTarget()
        var wanted: Set<ObjectID<HomeService>> = []
        for term in lists.included { try add(term, to: &target, &wanted) }
        let all = wanted
        for var term in lists.excluded {
            if term.isPlaceOnly || term.types.isEmpty { term.isPlural = true }
            var excluded = PhraseTarget()
            var ids: Set<ObjectID<HomeService>> = []
            try add(term, to: &excluded, &ids)
            target.exceptions[term.texts.joined(separator: " ")] = !all.isDisjoint(with: ids)
            wanted.subtract(ids)
            for index in target.terms.indices { target.terms[index].services.subtract(ids) }
        }
        target.terms.removeAll { $0.services.isEmpty }
        target.services = directory.services.filter { wanted.contains($0.id) }
        guard !target.services.isEmpty else {
            throw HomeError(.unknownObject, at: home.name.text, "After the exception, nothing remains.")
        }
        return target
    }

    /// Returns the entries of a name without those of accessories, if a service has the same name.
    private static func preferred(_ entries: [HomeDirectory.Entry]) -> [HomeDirectory.Entry] {
        entries.contains { $0.kind == .service } ? entries.filter { $0.kind != .accessory } : entries
    }

    /// Chooses between an object and the type of its name: "every garage door" is about the type.
    ///
    /// - Throws: ``HomeError`` if both are possible, as for "the lights" if a service is named Lights.
    private func chooseTypes(_ term: inout Term) throws(HomeError) {
        for namesake in term.namesakes.reversed() where term.isAll || namesake.isPlural {
            let kept = term.types.isEmpty ? namesake.types : term.types.filter(namesake.types.contains)
            // "All lights in the garage" are not garage doors.
            guard !kept.isEmpty else { continue }
            var typed = term
            typed.namesakes = []
            typed.entries.remove(at: namesake.place)
            (typed.types, typed.isPlural) = (kept, true)
            if term.isAll {
                term = typed
                continue
            }
            let (named, meant) = (readings(of: term), readings(of: typed))
            guard let first = meant.first, !named.allSatisfy({ $0.ids == first.ids }) else { continue }
            throw Self.ambiguous(term.texts, named.map(\.text) + ["all \(term.texts.joined(separator: " "))"])
        }
    }

    /// Gives a term the type or the place of its neighbor, as people mean it.
    ///
    /// "The kitchen and hall lights" are lights in both rooms, and so are "the lights in the hall and the bedroom".
    /// "The lights and fans in the office" are all in the office.
    private static func distribute(_ terms: inout [Term]) {
        for index in terms.indices.reversed() where index + 1 < terms.count {
            let next = terms[index + 1]
            if terms[index].isPlaceOnly, !next.types.isEmpty, !next.hasNoPlace, !next.hasPlaceAfterType {
                (terms[index].types, terms[index].isPlural) = (next.types, true)
            }
            if !terms[index].types.isEmpty, terms[index].hasNoPlace, next.hasPlaceAfterType {
                terms[index].entries = next.entries
                terms[index].hasPlaceAfterType = true
            }
        }
        for index in terms.indices.dropFirst() {
            let before = terms[index - 1]
            if terms[index].isPlaceOnly, before.hasPlaceAfterType {
                (terms[index].types, terms[index].isPlural) = (before.types, true)
                terms[index].hasPlaceAfterType = true
            }
            if !terms[index].types.isEmpty, terms[index].hasNoPlace, !terms[index].hasArticle, !terms[index].isAll,
                !before.types.isEmpty, !before.hasPlaceAfterType
            {
                terms[index].entries = before.entries
            }
        }
    }

    /// Adds the services of a term.
    private func add(
        _ term: Term,
        to target: inout PhraseTarget,
        _ wanted: inout Set<ObjectID<HomeService>>
    ) throws(HomeError) {
        let readings = readings(of: term)
        guard let found = readings.first else { throw noMatch(term) }
        if readings.contains(where: { $0.ids != found.ids }) { throw Self.ambiguous(term.texts, readings.map(\.text)) }
        if !term.types.isEmpty, !term.isPlural, !term.isAll, found.ids.count > 1 {
            let names = directory.services.filter { found.ids.contains($0.id) }.map(\.name.text)
            throw Self.ambiguous(term.texts, names)
        }
        let hasService = term.entries.contains { $0.contains { $0.kind == .service } }
        let isOneOfType = !term.types.isEmpty && !term.isPlural && !term.isAll
        if hasService || isOneOfType, found.ids.count == 1 { target.named.formUnion(found.ids) }
        let text = term.texts.isEmpty ? "everything" : term.texts.joined(separator: " ")
        target.terms.append(PhraseTerm(text: text, services: found.ids))
        // Only one thing that is named as itself may be opened: not "every front door", and not "the front doors".
        let isOne = !term.isAll && !term.isPlural && !term.hasOtherNumber
        if isOne, hasService || term.entries.contains(where: { $0.contains { $0.kind == .accessory } }) {
            let entrances = directory.services.filter { found.ids.contains($0.id) && $0.isEntrance }
            if entrances.count == 1 { target.openable.formUnion(entrances.map(\.id)) }
        }
        if !term.types.isEmpty || !term.isPlaceOnly && !term.entries.isEmpty { target.specific.formUnion(found.ids) }
        wanted.formUnion(found.ids)
    }

    /// Returns the sets of services that a term can mean, each with a text.
    private func readings(of term: Term) -> [(ids: Set<ObjectID<HomeService>>, text: String)] {
        var readings: [(ids: Set<ObjectID<HomeService>>?, text: [String])] = [(nil, [])]
        for entries in term.entries {
            readings = readings.prefix(16)
                .flatMap { reading in
                    entries.prefix(16)
                        .map { entry in
                            let members = directory.services(of: entry)
                            let ids = reading.ids.map { known in members.map(known.intersection) ?? known } ?? members
                            return (ids, reading.text + [entry.text])
                        }
                }
        }
        let types = Set(term.types)
        return readings.compactMap { reading in
            let services = directory.services.lazy.filter { service in
                reading.ids?.contains(service.id) ?? true
                    && (types.isEmpty || types.contains(service.effectiveType) || types.contains(service.type))
            }
            let ids = Set(services.map(\.id))
            return ids.isEmpty ? nil : (ids, reading.text.joined(separator: " "))
        }
    }

    private func noMatch(_ term: Term) -> HomeError {
        let places = term.entries.compactMap(\.first?.name.text).joined(separator: " and ")
        let type = term.types.first.map(\.description)
        let reason =
            switch (type, places.isEmpty) {
            case (let type?, true): "There is no \(type) in \(home.name)."
            case (let type?, false): "There is no \(type) in \(places)."
            case (nil, true): "There is nothing in \(home.name) that can be set."
            case (nil, false): "There is nothing in \(places) that can be set."
            }
        return HomeError(.unknownObject, at: ObjectName.quoted(term.texts.joined(separator: " ")), reason)
    }

    static func ambiguous(_ texts: [String], _ meanings: [String]) -> HomeError {
        let shown = meanings.prefix(8).joined(separator: ", ")
        return HomeError(
            .ambiguousName,
            at: ObjectName.quoted(texts.joined(separator: " ")),
            "It may mean \(shown)\(meanings.count > 8 ? ", …" : "").",
            remedy: "Say which, such as \(meanings.first ?? "")."
        )
    }
}

extension HomeService {
    /// Whether the service protects the home: a lock, a door, a window or an alarm.
    var isEntrance: Bool {
        [.lockMechanism, .garageDoorOpener, .door, .window, .securitySystem].contains(type)
            || characteristic(.lockTargetState) != nil
    }
}

extension HomeError {
    /// The room of the speaker is meant.
    static func here(_ text: String, in home: Home) -> HomeError {
        HomeError(
            .ambiguousName,
            at: ObjectName.quoted(text),
            "It is not known in which room you are.",
            remedy: "Name the room, such as \"in the \(home.rooms.first?.name.text ?? "kitchen")\"."
        )
    }

    /// A word such as "not" says what is not wanted.
    static var reversed: HomeError {
        HomeError(
            .invalidValue,
            at: "",
            "A phrase says what to do, not what not to do.",
            remedy: "Say what to do, or name exceptions with \"except\"."
        )
    }
}
