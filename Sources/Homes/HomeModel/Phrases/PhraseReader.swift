internal import AccessoryModel
internal import HAPCore

/// A reader of phrases for one home.
///
/// It divides the words into tokens, gives each of them its role, and composes a command for each part that has a
/// change of its own. Every word must have a role, so nothing is done that the phrase does not say.
struct PhraseReader {
    let home: Home
    let directory: HomeDirectory
    let table: PhraseWords

    init(_ home: Home, _ table: PhraseWords) {
        self.home = home
        self.table = table
        directory = HomeDirectory(home)
    }

    /// Returns the meaning of a phrase.
    func phrase(_ text: String) throws(HomeError) -> Phrase {
        var tokens = try PhraseLexer(directory, table).tokens(of: text)
        let isPolite = tokens.first { !$0.has(.filler) || $0.has(.polite) }?.has(.polite) ?? false
        tokens.removeAll { $0.has(.polite) }
        // "Would you want the door open" is not a request.
        let isWantAsked = isPolite && tokens.first { !$0.has(.filler) || $0.has(.want) }?.has(.want) == true
        let isAsked = text.contains("?") && !isPolite || isWantAsked
        let statement = PhraseStatement(tokens)
        if !isAsked, statement.isNameWithState { return Phrase(in: home.id, .question(try question(tokens))) }
        if !isAsked, !Self.isQuestion(tokens) { try statement.check(text) }
        if !isAsked, let scene = try scene(in: tokens) { return Phrase(in: home.id, .scene(scene)) }
        if isAsked || Self.isQuestion(tokens) { return Phrase(in: home.id, .question(try question(tokens))) }
        return Phrase(in: home.id, .commands(try commands(of: tokens, text, opens: !statement.hasSubject)))
    }

    /// Returns the question for the state or the value of what a text describes.
    func description(_ text: String) throws(HomeError) -> Phrase {
        let tokens = try PhraseLexer(directory, table).tokens(of: text)
        return Phrase(in: home.id, .question(try question(tokens, describesOnly: true)))
    }

    // MARK: Scenes

    /// Returns the scene that the tokens name, or `nil` if they mean something else.
    private func scene(in tokens: [PhraseToken]) throws(HomeError) -> ObjectID<HomeScene>? {
        let isRun = tokens.contains { token in
            (token.has(.run) || token.has(.sceneWord)) && !token.entries.contains { $0.scene != nil }
        }
        /// A scene that is named like a word of commands, such as Off, only runs if the phrase says so.
        func isNamed(_ token: PhraseToken) -> Bool {
            token.entries.contains { $0.scene != nil } && (isRun || !token.words.contains(where: \.isGrammatical))
        }
        let content = tokens.filter { token in
            let isPart = token.words.contains { [.filler, .verb, .run, .to, .sceneWord, .all].contains($0) }
            return !isNamed(token)
                && !(isPart && token.targetEntries.isEmpty && token.number == nil)
                && !token.targetEntries.contains { $0.kind == .home }
        }
        let named = tokens.filter(isNamed)
        if let token = named.first, named.count == 1 {
            let scenes = token.entries.compactMap(\.scene)
            // "Turn on Movie Time" runs it; nothing else can be said of a scene.
            guard content.allSatisfy({ $0.state == .on }) else {
                guard token.targetEntries.isEmpty, !content.contains(where: \.isTarget), content.count == 1 else {
                    return nil
                }
                throw HomeError(
                    .invalidValue,
                    at: "\(home.name)/\(token.text)",
                    "A scene can only be run.",
                    remedy: "Run another scene, or set the services themselves."
                )
            }
            // A scene that is named like a type, such as Lights, must not run instead of what the type means.
            let key = ObjectName.key(of: token.text)
            let isType = table.types[key] != nil || table.meanings[key]?.contains(.everything) == true
            if isType, !isRun {
                throw PhraseTargetReader.ambiguous([token.text], ["scene \(token.text)", "a type of device"])
            }
            if !token.targetEntries.isEmpty, !isRun {
                throw PhraseTargetReader.ambiguous([token.text], token.entries.map(\.text))
            }
            return scenes.first
        }
        guard content.count == 1, let token = content.first, token.targetEntries.isEmpty else { return nil }
        for word in token.words {
            guard case .scene(let kind) = word else { continue }
            guard let scene = home.scenes.first(where: { $0.kind == kind }) else {
                throw HomeError(
                    .unknownObject,
                    at: home.name.text,
                    "The home has no scene for \(ObjectName.quoted(token.text)).",
                    remedy: "Add a scene of the kind \(kind.rawValue)."
                )
            }
            return scene.id
        }
        return nil
    }

    // MARK: Commands

    /// - Parameter opens: Whether what is named may be opened, because the phrase is a plain command.
    private func commands(
        of tokens: [PhraseToken],
        _ text: String,
        opens: Bool
    ) throws(HomeError) -> [PhraseCommand] {
        try checkUsers(in: tokens)
        var reader = PhraseRoleReader(tokens)
        let parts = try reader.parts()
        guard !parts.isEmpty else { throw HomeError(.nothingToChange, in: text) }
        let joined = Self.joined(parts)
        // Only the value of a property may consist of words that are not known, such as the name of a value.
        if let unknown = reader.unknown,
            joined.contains(where: { !$0.valueTexts.isEmpty && ($0.properties.isEmpty || !$0.isValueByName) })
                || !joined.contains(where: { !$0.valueTexts.isEmpty })
        {
            if unknown.has(.isIt) { throw HomeError(.statement, in: text) }
            if unknown.isScene { throw HomeError(.sceneWithCommands, in: unknown.text) }
            throw unknownWord(unknown, after: reader.wordBeforeUnknown)
        }
        var exceptions: [String: Bool] = [:]
        let commands = try joined.map { part throws(HomeError) in
            var command = try command(part, text, &exceptions)
            if !opens { command.openable = [] }
            return command
        }
        try Self.check(exceptions)
        return commands
    }

    /// Checks that each exception excludes something.
    private static func check(_ exceptions: [String: Bool]) throws(HomeError) {
        guard let useless = exceptions.filter({ !$0.value }).keys.min() else { return }
        throw HomeError(.uselessException, in: useless)
    }

    /// Joins the parts without a change, or without services, with the part that has it.
    private static func joined(_ parts: [PhrasePart]) -> [PhrasePart] {
        var joined: [PhrasePart] = []
        for part in parts {
            guard let last = joined.last, !(part.hasChange && part.hasTarget && last.hasChange && last.hasTarget) else {
                joined.append(part)
                continue
            }
            if last.hasValue, part.hasValue, !part.properties.isEmpty {
                // "Brightness 50 and hue 120 of the lamp" sets two properties of the same services.
                joined.append(part)
            } else {
                joined[joined.count - 1] = last.appending(part)
            }
        }
        for index in joined.indices.dropFirst() where !joined[index].hasTarget {
            joined[index].takeTarget(of: joined[index - 1])
        }
        for index in joined.indices.dropLast().reversed() where !joined[index].hasTarget {
            joined[index].takeTarget(of: joined[index + 1])
        }
        return joined
    }

    /// - Parameter exceptions: The exceptions of the phrase, to which those of the part are added. One that is for several
    ///   commands must exclude something from one of them.
    private func command(
        _ part: PhrasePart,
        _ text: String,
        _ exceptions: inout [String: Bool]
    ) throws(HomeError) -> PhraseCommand {
        if part.isHere {
            throw .here(text, in: home)
        }
        var items = part.description
        let changes = try part.changes(text)
        if part.isDark {
            // "It's dark in the hall" asks for the lamps there.
            guard part.isPlaceInTheDark else { throw HomeError(.dark, in: part.wordTexts.joined(separator: " ")) }
            var lamps = PhraseToken(text: "")
            (lamps.types, lamps.isPlural) = ([.lightbulb], true)
            items.insert(.token(lamps), at: 0)
        }
        // "Set the cooling to heat".
        if changes.contains(.mode(.heat)) && part.conditioning.contains(.cool)
            || changes.contains(.mode(.cool)) && part.conditioning.contains(.heat)
        {
            throw HomeError(.contradiction, in: text)
        }
        if changes.contains(where: { [.state(.locked), .state(.unlocked)].contains($0) }) {
            items = items.map(\.meaningLocks)
        }
        let reader = PhraseTargetReader(directory: directory, home: home)
        if let target = try reader.target(of: items) {
            exceptions.merge(target.exceptions) { $0 || $1 }
            let isAlarmMode = changes.contains { [.mode(.home), .mode(.away), .mode(.night)].contains($0) }
            if isAlarmMode, !target.services.allSatisfy({ $0.type == .securitySystem }) {
                throw HomeError(.contradiction, in: text)
            }
            return PhraseCommand(
                services: target.services.map(\.id),
                named: target.named,
                openable: target.openable,
                specific: target.specific,
                terms: target.terms,
                changes: changes,
                conditioning: part.conditioning
            )
        }
        guard part.canMeanEverything else {
            throw HomeError(.nothingToChange, in: text)
        }
        // "Brighter" means every service that has a brightness.
        let types = Set(changes.flatMap(\.properties))
        let services = directory.services.filter { service in types.contains { service.characteristic($0) != nil } }
        guard !services.isEmpty else {
            throw .unknown("service", "that has this property", at: home.name.text)
        }
        return PhraseCommand(
            services: services.map(\.id),
            named: [],
            openable: [],
            specific: [],
            terms: [],
            changes: changes
        )
    }
}

extension PhraseChange {
    /// The properties that the change names.
    fileprivate var properties: [CharacteristicType] {
        switch self {
        case .number(_, _, let types), .level(_, let types), .step(let types, _, _), .value(_, let types): types
        case .state, .toggle, .stop, .move, .color, .white, .mode, .arm, .disarm: []
        }
    }
}
