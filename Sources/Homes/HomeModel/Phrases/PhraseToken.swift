internal import AccessoryModel
internal import HAPCore

/// One or several words of a phrase with all their meanings.
struct PhraseToken {
    /// The words as they were written.
    var text: String
    /// The meanings in the grammar.
    var words: [PhraseWord] = []
    /// The objects with this name.
    var entries: [HomeDirectory.Entry] = []
    /// The types that its words would mean if there were no object with this name.
    var namesake: (types: [ServiceType], isPlural: Bool)?
    /// Whether the name of the objects is in the singular instead of the plural, or the reverse.
    var isOtherNumber = false
    /// The types that it means, or none.
    var types: [ServiceType] = []
    /// Whether it means several objects of its types.
    var isPlural = false
    /// The properties that it means, the most likely one first, or none.
    var properties: [CharacteristicType] = []
    var number: Double?
    /// Whether it is a fraction such as "1/2".
    var isFraction: Bool { number != nil && text.contains("/") }
    /// The user with this name, if the words mean nothing else.
    var user: ObjectID<HomeUser>?
    /// Whether its last word ends in "'s" and nothing follows that can belong to it, so that this is "is" or an error.
    var ownsNothing = false
    /// Whether it follows a comma.
    var followsComma = false

    /// Whether the grammar knows the words.
    var isKnown: Bool {
        !words.isEmpty || !entries.isEmpty || !types.isEmpty || !properties.isEmpty || number != nil
            || user != nil
    }

    /// Whether it can be a scene.
    var isScene: Bool {
        entries.contains { $0.scene != nil } || words.contains { if case .scene = $0 { true } else { false } }
    }

    /// Whether it can belong to what is named before it, as a brightness to a lamp.
    var canBelong: Bool {
        guard !followsComma, !has(.past) else { return false }
        guard types.isEmpty, !has(.noun), !words.contains(where: \.isStep) else { return true }
        return !words.contains(where: \.isGrammatical) && (isScene || !entries.isEmpty || !properties.isEmpty)
    }

    func has(_ word: PhraseWord) -> Bool { words.contains(word) }

    /// Whether it names a room, a zone or the home.
    var isPlace: Bool { entries.contains { [.room, .zone, .home].contains($0.kind) } }

    /// Whether it can be a part of the description of services.
    var isTarget: Bool { !targetEntries.isEmpty || !types.isEmpty }

    /// The objects that consist of services.
    var targetEntries: [HomeDirectory.Entry] { entries.filter { $0.kind != .scene } }

    /// Whether it means everything, although a service, an accessory or a group has this name.
    var isEverything: Bool {
        has(.everything) && targetEntries.allSatisfy { [.service, .accessory, .group].contains($0.kind) }
    }

    /// The state among the meanings.
    var state: PhraseState? {
        words.lazy.compactMap { if case .state(let state) = $0 { state } else { nil } }.first
    }
}

/// Divides a phrase into tokens: at each position, the longest name or word that is known.
struct PhraseLexer {
    /// The maximum number of words in a phrase.
    static let maximumWordCount = 48
    /// The maximum number of words in a name; a longer one is not found.
    private static let longestName = 10

    /// The maximum number of different names that are searched in their other forms.
    private static let maximumSearchCount = 48
    /// The maximum number of Unicode scalars in a character, which excludes stacks of combining marks.
    private static let maximumScalarCount = 16

    private let directory: HomeDirectory
    private let table: PhraseWords

    init(_ directory: HomeDirectory, _ table: PhraseWords) {
        self.directory = directory
        self.table = table
    }

    /// Returns the tokens of a phrase.
    ///
    /// - Throws: ``HomeError`` if the phrase is empty or too long.
    func tokens(of phrase: String) throws(HomeError) -> [PhraseToken] {
        guard phrase.utf8.count <= Phrase.maximumByteCount else { throw Self.tooLong(phrase) }
        let parts = Self.parts(of: phrase)
        guard parts.count <= Self.maximumWordCount else { throw Self.tooLong(phrase) }
        guard !parts.isEmpty else {
            throw HomeError(
                .emptyPhrase,
                at: "",
                "The phrase is empty.",
                remedy: "Say what to do, such as \"turn off the lights upstairs\", or ask, such as \"what is on?\"."
            )
        }
        guard !phrase.contains(where: { $0.unicodeScalars.count > Self.maximumScalarCount }) else {
            throw HomeError(
                .invalidValue,
                at: "",
                "The phrase has a character with too many marks.",
                remedy: "Write it without combining marks."
            )
        }
        var tokens: [PhraseToken] = []
        var searches = Searches()
        var start = 0
        var unknown = 0
        while start < parts.count {
            // A phrase with several unknown words is refused, so the names need not be searched for each of them.
            var (token, count) = longestToken(parts[start...], &searches, searchesNames: unknown < 3)
            unknown += token.isKnown ? 0 : 1
            token.followsComma = parts[start].followsComma
            tokens.append(token)
            start += count
        }
        for index in tokens.indices where tokens[index].ownsNothing {
            let next = tokens[(index + 1)...].first { !$0.has(.filler) || $0.has(.noun) }
            tokens[index].ownsNothing = next?.canBelong != true
        }
        return tokens
    }

    /// What was found in the other forms of names.
    private struct Searches {
        var found: [String: (entries: [HomeDirectory.Entry], isOtherNumber: Bool)?] = [:]
    }

    /// A word with its key.
    private struct Part {
        var text: String
        var key: String
        /// The key without "'s", or `nil` if the word does not end so.
        var ownerKey: String?
        var followsComma: Bool
        /// Whether a punctuation mark divides it from the word before, so that they are not one name.
        var followsBreak: Bool
    }

    private static func parts(of phrase: String) -> [Part] {
        var parts: [Part] = []
        var text = ""
        var (followsComma, followsBreak) = (false, false)
        func end() {
            let written = text
            while let last = text.last, ".!:".contains(last) { text.removeLast() }
            let key = ObjectName.key(of: text)
            if !key.isEmpty {
                parts.append(
                    Part(
                        text: text,
                        key: key,
                        ownerKey: ownerKey(text),
                        followsComma: followsComma,
                        followsBreak: followsBreak
                    )
                )
                (followsComma, followsBreak) = (false, false)
            }
            if text != written { followsBreak = true }
            text = ""
        }
        for (index, character) in zip(phrase.indices, phrase) {
            if character == "/", isDigit(text.last), isDigit(phrase[phrase.index(after: index)...].first) {
                text.append(character)
                continue
            }
            let isSign = text.isEmpty && character == "-"
            if character.isWhitespace || "?,;/\"“”=_()".contains(character) || character == "-" && !isSign {
                end()
                if ",;".contains(character) { followsComma = true }
                if !character.isWhitespace, character != "-", character != "_" { followsBreak = true }
            } else {
                text.append(character)
            }
        }
        end()
        return parts
    }

    private static func isDigit(_ character: Character?) -> Bool { character.map { "0"..."9" ~= $0 } ?? false }

    private static func ownerKey(_ text: String) -> String? {
        guard text.last == "s" || text.last == "S", text.dropLast().last?.isApostrophe == true, text.count > 2 else {
            return nil
        }
        return ObjectName.key(of: String(text.dropLast(2)))
    }

    private func longestToken(
        _ parts: ArraySlice<Part>,
        _ searches: inout Searches,
        searchesNames: Bool
    ) -> (PhraseToken, count: Int) {
        let unbroken = parts.dropFirst().firstIndex(where: \.followsBreak) ?? parts.endIndex
        let longest = min(max(Self.longestName, table.longestCount), unbroken - parts.startIndex)
        for count in (1...longest).reversed() {
            let slice = parts.prefix(count)
            if let token = token(for: slice) { return (token, count) }
            if let token = nameInOtherNumber(slice) { return (token, count) }
        }
        if let first = parts.first, let token = number(first) { return (token, 1) }
        for count in (1...longest).reversed() where searchesNames {
            let slice = parts.prefix(count)
            if let found = similarEntries(named: slice.map(\.key).joined(), &searches) {
                var token = PhraseToken(text: Self.text(of: slice), entries: found.entries)
                token.isOtherNumber = found.isOtherNumber
                token.ownsNothing = slice.last?.ownerKey != nil
                return (token, count)
            }
        }
        return (PhraseToken(text: parts.first?.text ?? ""), 1)
    }

    /// Returns the token for a name in the other number whose first word also has a meaning of its own.
    ///
    /// "The mood lights" are Mood Light, and not all lights.
    private func nameInOtherNumber(_ parts: ArraySlice<Part>) -> PhraseToken? {
        guard parts.count > 1, let first = parts.first, let last = parts.last, table.types[last.key] != nil,
            table.meanings[first.key]?.contains(where: \.canBeginName) == true
        else { return nil }
        let entries = directory.entriesInOtherNumber(of: parts.map(\.key).joined())
        guard !entries.isEmpty else { return nil }
        var token = PhraseToken(text: Self.text(of: parts), entries: entries)
        token.isOtherNumber = true
        return token
    }

    /// Returns the objects whose names are similar to a key, unless too many names were searched.
    private func similarEntries(named key: String, _ searches: inout Searches)
        -> (entries: [HomeDirectory.Entry], isOtherNumber: Bool)?
    {
        if let known = searches.found[key] { return known }
        guard searches.found.count < Self.maximumSearchCount else { return nil }
        let found = directory.similarEntries(named: key, table)
        searches.found[key] = .some(found)
        return found
    }

    private static func text(of parts: ArraySlice<Part>) -> String { parts.map(\.text).joined(separator: " ") }

    private func token(for parts: ArraySlice<Part>) -> PhraseToken? {
        var keys = parts.map(\.key)
        var whole = token(for: keys, Self.text(of: parts))
        guard let owner = parts.last?.ownerKey else { return whole }
        // "The door's open" is not about doors, and "the lamp's brightness" not about the group Lamps.
        keys[keys.count - 1] = owner
        let single = token(for: keys, Self.text(of: parts))
        if let named = whole?.entries, !named.isEmpty,
            single?.targetEntries.isEmpty != false || named.contains(where: { Self.ownerKey($0.name.text) != nil })
        {
            return whole
        }
        if single?.isTarget == true { whole = single }
        whole?.ownsNothing = true
        return whole
    }

    private func token(for keys: [String], _ text: String) -> PhraseToken? {
        let key = keys.count == 1 ? keys.first ?? "" : keys.joined()
        var token = PhraseToken(text: text)
        // Several words have a meaning of the grammar only if it is written so: "to night" is not "tonight".
        token.words = (keys.count == 1 ? table.meanings[key] : table.spacedMeanings[keys.joined(separator: " ")]) ?? []
        token.entries = directory.entries(named: keys[...], table).filter { isWritten($0.name, with: keys) }
        // A name has precedence over a word for a type or a property.
        if token.entries.isEmpty {
            if let meant = table.types[key] { (token.types, token.isPlural) = (meant.types, meant.isPlural) }
            token.properties = table.properties[key] ?? []
        } else if let meant = table.types[key] {
            token.namesake = meant
        } else if let first = keys.first, keys.count > 1, table.meanings[first]?.contains(.all) == true,
            let meant = table.types[keys.dropFirst().joined()]
        {
            // An object may be named "All Doors".
            token.namesake = (meant.types, true)
        }
        if !token.isKnown { token.user = directory.users.id(key: key) }
        return token.isKnown ? token : nil
    }

    /// Returns whether words can be the name of an object.
    ///
    /// Spaces in names do not matter, so "living room" is also Livingroom. But words of the grammar that are known one
    /// by one are joined only if the name is written so: in "set the alarm to night", there is no Tonight.
    private func isWritten(_ name: ObjectName, with keys: [String]) -> Bool {
        guard keys.count > 1, !name.breaks(like: keys) else { return true }
        guard keys.contains(where: { table.meanings[$0]?.contains(where: \.isStructural) == true }) else { return true }
        return !keys.allSatisfy { key in
            table.meanings[key] != nil || table.types[key] != nil || table.properties[key] != nil
                || !directory.entries(named: [key], table).isEmpty
        }
    }

    /// Returns the token for a number with or without its unit; a fraction is a percentage.
    private func number(_ part: Part) -> PhraseToken? {
        let fraction = part.text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        if fraction.count == 2, let part = fraction[0], let whole = fraction[1], 1...100 ~= whole, 0...whole ~= part {
            var token = PhraseToken(text: "\(part)/\(whole)", words: [.unit(.percent)])
            token.number = (100 * Double(part) / Double(whole)).rounded()
            return token
        }
        let digits = part.key.prefix { "0"..."9" ~= $0 || "+-.".contains($0) }
        guard digits.utf8.count <= 20, let number = JSONNumber(decimal: String(digits)) else { return nil }
        var token = PhraseToken(text: part.text)
        token.number = number.double
        let unit = String(part.key.dropFirst(digits.count))
        guard !unit.isEmpty else { return token }
        guard let meanings = table.meanings[unit] else { return nil }
        token.words = meanings.filter { if case .unit = $0 { true } else { false } }
        return token.words.isEmpty ? nil : token
    }

    private static func tooLong(_ phrase: String) -> HomeError {
        let reason = "A phrase has at most \(maximumWordCount) words and \(Phrase.maximumByteCount) bytes."
        return HomeError(.phraseTooLong, at: ObjectName.quoted(phrase), reason)
    }
}
