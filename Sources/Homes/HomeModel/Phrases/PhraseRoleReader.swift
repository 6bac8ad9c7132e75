internal import AccessoryModel
internal import HAPCore

/// A reader that gives each token of a command its role.
struct PhraseRoleReader {
    private let tokens: [PhraseToken]
    private var part = PhrasePart()
    private var found: [PhrasePart] = []
    /// The first word without a role.
    private(set) var unknown: PhraseToken? {
        didSet { if oldValue == nil { wordBeforeUnknown = currentIndex > 0 ? tokens[currentIndex - 1].text : nil } }
    }
    /// The word before it, with which it may be a misspelled name.
    private(set) var wordBeforeUnknown: String?
    private var currentIndex = 0
    /// An exception that was said before the first command, which is for all of them.
    private var heldException: [PhraseTargetReader.Item] = []

    init(_ tokens: [PhraseToken]) {
        self.tokens = tokens.filter { !$0.has(.filler) || $0.isTarget || Self.isArticle($0) }
    }

    private static func isArticle(_ token: PhraseToken) -> Bool {
        token.has(.filler) && token.words.allSatisfy { [.filler, .determiner, .noun].contains($0) }
    }

    /// Returns the parts of the command.
    ///
    /// - Throws: ``HomeError`` if a word reverses the meaning, or if something is out of scope.
    mutating func parts() throws(HomeError) -> [PhrasePart] {
        if let camera = tokens.first(where: { $0.has(.camera) }) { throw HomeError(.camera, in: camera.text) }
        for index in tokens.indices { try read(index) }
        finishPart()
        // A word such as "scene" belongs to the name of a scene, which would have been found.
        if unknown == nil { unknown = tokens.first { $0.words == [.sceneWord] && !$0.isTarget } }
        return found.filter { $0.hasChange || $0.hasTarget || !$0.properties.isEmpty || $0.isHere || !$0.items.isEmpty }
    }

    private mutating func read(_ index: Int) throws(HomeError) {
        currentIndex = index
        let token = tokens[index]
        if heldException.isEmpty, part.isExceptionAlone, startsCommand(token) || token.followsComma {
            // "Without the desk lamp, turn off the lights".
            (heldException, part.items) = (part.items, [])
        }
        if token.followsComma, !token.has(.except), !token.has(.and) { endPart(before: index) }
        if token.has(.adjust) { part.isAboutValue = true }
        if isTarget(token, at: index) {
            // "Mood light 20 desk lamp 30" is about both.
            if part.hasTarget, precedes(index, Self.isValue), follows(index, where: Self.isValue) {
                endPart(before: index)
            }
            for mode in [PhraseMode.heat, .cool] where token.has(.mode(mode)) { part.conditioning.insert(mode) }
            part.items.append(token.isEverything ? .everything : .token(token))
            return
        }
        if !token.properties.isEmpty, token.words.isEmpty {
            part.add(token.properties, token.text)
            return
        }
        if Self.isNumber(token) {
            try readNumber(token, index)
            return
        }
        guard let word = word(of: token, at: index) else {
            reject(token)
            return
        }
        if isAdjective(word, at: index) { throw HomeError(.adjective, in: token.text) }
        try read(word, token, index)
    }

    /// Records a word without a role; only the value of a property may contain such a word.
    private mutating func reject(_ token: PhraseToken) {
        unknown = unknown ?? token
        part.valueTexts.append(token.text)
    }

    private mutating func read(_ word: PhraseWord, _ token: PhraseToken, _ index: Int) throws(HomeError) {
        switch word {
        case .filler: part.items.append(.article)
        case .determiner, .noun, .polite, .verb, .adjust, .sceneWord, .subject, .listener, .want, .past, .partOf: break
        case .to: part.hasTo = true
        case .by: part.hasBy = true
        case .place: part.items.append(.place)
        case .and: endPart(before: index)
        case .except: part.items.append(.except)
        case .all: part.items.append(.all)
        case .any: part.items.append(.any)
        case .everything: part.items.append(.everything)
        case .here: part.isHere = true
        case .not: throw .reversed
        case .later: throw HomeError(.later, in: token.text)
        case .camera: throw HomeError(.camera, in: token.text)
        case .some, .or: throw HomeError(.counted, in: token.text)
        case .only: throw HomeError(.only, in: token.text)
        case .darkAlone: throw HomeError(.dark, in: token.text)
        case .condition: throw HomeError(.conditional, in: token.text)
        case .number: reject(token)
        case .unit(let unit):
            guard let last = part.numbers.indices.last else {
                // "Down a degree", but not "to percent".
                guard tokens.contains(where: Self.isDirection), !part.hasTo else {
                    guard !part.properties.isEmpty else { throw HomeError(.withoutNumber, in: token.text) }
                    reject(token)
                    return
                }
                part.numbers.append((1, unit))
                return
            }
            if part.numbers[last].unit == nil {
                part.numbers[last].unit = unit
            } else {
                reject(token)
            }
        case .state, .toggle, .stop, .up, .down, .step, .halve, .amount, .level, .color, .white, .mode, .arm, .disarm,
            .dark:
            part.add(word, token.text)
        case .run: if !tokens.contains(where: { $0.state != nil }) { part.add(word, token.text) }
        case .isIt, .mayI, .did, .forget, .leave, .which, .who, .how, .someone, .everyone, .noOne, .status,
            .hazard, .triggered, .batteryLow, .unreachable, .scene:
            reject(token)
        }
    }

    /// Reads a number in digits or words, which must be the value of something.
    ///
    /// "Two lights" and "one of the lights" count, and "at seven" is a time.
    private mutating func readNumber(_ token: PhraseToken, _ index: Int) throws(HomeError) {
        // "Twenty five" is one number.
        var first = index
        while first > 0, Self.number(tokens[first - 1]) != nil { first -= 1 }
        var end = index + 1
        while end < tokens.count, Self.number(tokens[end]) != nil { end += 1 }
        let hasUnit = Self.unit(token) != nil || end < tokens.count && Self.unit(tokens[end]) != nil
        if index == first {
            if hasUnit { try checkShare(from: first, to: end) } else { try checkNumber(from: first, to: end) }
        }
        if let digits = token.number {
            part.numbers.append((digits, Self.unit(token)))
            return
        }
        guard let number = Self.number(token).map(Double.init) else { return }
        if index > first, tokens[index - 1].number == nil, let last = part.numbers.last, last.unit == nil,
            last.number >= 20, last.number < 100, number > 0, number < 10,
            last.number.truncatingRemainder(dividingBy: 10) == 0
        {
            part.numbers[part.numbers.count - 1].number += number
        } else {
            part.numbers.append((number, nil))
        }
    }

    /// Checks that a number without a unit is a value: after "to" or "by", with a property, with a step, or at the end.
    private func checkNumber(from first: Int, to end: Int) throws(HomeError) {
        let text = tokens[first..<end].map(\.text).joined(separator: " ")
        let before = tokens[..<first].last { !Self.isArticle($0) }
        let after = tokens[end...].first { !Self.isArticle($0) }
        let following = after?.has(.place) == true ? tokens[end...].drop { !$0.isTarget }.first : after
        let hasProperty = tokens.contains { !$0.properties.isEmpty && $0.words.isEmpty && !$0.isTarget }
        let isValue = before?.has(.to) == true && before?.has(.place) != true || before?.has(.by) == true
        let state = tokens[command(around: first)].lazy.filter { !$0.isTarget }.compactMap(\.state).first
        if state == nil, before?.isTarget == true, follows(end, where: Self.isValue, after: \.isTarget) { return }
        let isOfProperty = before.map { !$0.properties.isEmpty && $0.words.isEmpty } ?? false
        if !isValue, !isOfProperty, following?.isTarget == true { throw HomeError(.counted, in: text) }
        // "At 7" and "in 5" are times; "at 50 %" is a value.
        if before?.has(.place) == true { throw HomeError(.later, in: text) }
        // "Close the windows to seven" is not 7 %.
        if isValue, state == nil || state == .on || hasProperty { return }
        if hasProperty || state == nil && before.map(Self.isDirection) == true { return }
        let isAtEnd = after == nil || after?.has(.and) == true || after?.followsComma == true
        guard state == nil, isAtEnd, before == nil || before?.isTarget == true else {
            throw .withoutUnit(text, hasTo: isValue)
        }
    }

    /// Checks that a number with a unit is a value, and not a share as in "50 % of the lights".
    private func checkShare(from first: Int, to end: Int) throws(HomeError) {
        guard !tokens.contains(where: { !$0.properties.isEmpty && $0.words.isEmpty && !$0.isTarget }) else { return }
        let after = tokens[end...].first { Self.unit($0) == nil || $0.number != nil }
        let isShare = after?.has(.partOf) == true
        let isBeforeTarget =
            !tokens[..<first].contains(where: \.isTarget) && tokens[end...].contains(where: \.isTarget)
        if isShare || tokens[first].isFraction && isBeforeTarget { throw HomeError(.counted, in: tokens[first].text) }
    }

    /// Returns whether a token is a number, with or without a unit.
    private static func isValue(_ token: PhraseToken) -> Bool { isNumber(token) || unit(token) != nil }

    /// Returns whether the token before a position, apart from articles, meets a condition.
    private func precedes(_ index: Int, _ condition: (PhraseToken) -> Bool) -> Bool {
        tokens[..<index].last { !Self.isArticle($0) }.map(condition) ?? false
    }

    /// Returns whether a value follows a position, with at most articles, names and "to" between.
    ///
    /// - Parameter after: What must come first, if anything.
    private func follows(
        _ index: Int,
        where condition: (PhraseToken) -> Bool,
        after first: (PhraseToken) -> Bool = { _ in true }
    ) -> Bool {
        let rest = tokens[index...].filter { !Self.isArticle($0) }
        guard let next = rest.first, first(next) else { return false }
        return rest.first { !$0.isTarget && !$0.has(.to) }.map(condition) ?? false
    }

    private static func number(_ token: PhraseToken) -> Int? {
        guard !token.isTarget else { return nil }
        return token.words.lazy.compactMap { if case .number(let number) = $0 { number } else { nil } }.first
    }

    private static func isNumber(_ token: PhraseToken) -> Bool { token.number != nil || number(token) != nil }

    /// Returns whether a word describes the services after it: "the red lights", "the open blinds", "light red".
    private func isAdjective(_ word: PhraseWord, at index: Int) -> Bool {
        let before = index > 0 ? tokens[index - 1] : nil
        let isColor: Bool
        switch word {
        case .color, .white:
            isColor = true
            // "Light red" is not red, but "the bedroom light red" is.
            if let before, index > 1, before.types.contains(.lightbulb), before.entries.isEmpty, !before.isPlural,
                tokens[index - 2].has(.to) || tokens[index - 2].has(.everything)
                    || tokens[index - 2].isTarget && !tokens[index - 2].isPlace
            {
                return true
            }
        case .step, .level, .state: isColor = false
        default: return false
        }
        guard tokens.indices.contains(index + 1), !tokens[index + 1].followsComma,
            isTarget(tokens[index + 1], at: index + 1)
        else { return false }
        if before?.has(.determiner) == true { return true }
        guard !tokens[index + 1].isPlace else { return false }
        return before?.has(.all) == true
            || (isColor || word.isStep)
                && command(around: index).contains { tokens[$0].state != nil || tokens[$0].has(.toggle) }
    }

    /// Returns the positions of the command of a token: those from a verb after "and" or a comma up to the next one.
    private func command(around index: Int) -> Range<Int> {
        func begins(_ other: Int) -> Bool {
            guard other > 0, startsCommand(tokens[other]) else { return false }
            let before = tokens[other - 1]
            return tokens[other].followsComma || precedes(other) { $0.has(.and) }
                || Self.isArticle(before) && before.followsComma
        }
        let start = tokens.indices.prefix(index + 1).last(where: begins) ?? tokens.startIndex
        return start..<(tokens.indices.dropFirst(index + 1).first(where: begins) ?? tokens.endIndex)
    }

    /// Returns whether a token says that something goes up or down, so that a number is a step.
    private static func isDirection(_ token: PhraseToken) -> Bool {
        token.words.contains { word in
            switch word {
            case .up, .down, .step: true
            default: false
            }
        }
    }

    private mutating func endPart(before index: Int) {
        guard part.hasTarget || part.hasChange else { return }
        // After an exception, "and" continues the exception unless something else is to be done.
        let isExcluding = part.items.contains { if case .except = $0 { true } else { false } }
        let rest = tokens[index...].dropFirst(tokens[index].has(.and) ? 1 : 0)
        if isExcluding, let next = rest.first, !startsCommand(next) {
            part.items.append(.and)
            return
        }
        finishPart()
    }

    private mutating func finishPart() {
        part.leadingException = heldException
        found.append(part)
        part = PhrasePart()
    }

    private func startsCommand(_ token: PhraseToken) -> Bool {
        token.words.contains { word in
            switch word {
            case .verb, .run, .state, .toggle, .stop, .up, .down, .step, .arm, .disarm: true
            default: false
            }
        }
    }

    // MARK: Roles of words with several meanings

    /// Returns whether a token describes services.
    private func isTarget(_ token: PhraseToken, at index: Int) -> Bool {
        guard token.isTarget else { return false }
        guard !token.words.isEmpty else { return true }
        let isOnlyTarget = !tokens.indices.contains { $0 != index && tokens[$0].isTarget }
        if token.has(.verb) || token.has(.state(.locked)) || token.has(.step(.dimmer)) {
            // "Switch the switch off", "lock the lock".
            let isFirst = tokens[..<index].last { !Self.isArticle($0) }?.has(.and) ?? true || token.followsComma
            return !isFirst && (token.has(.verb) || hasOtherState(than: index))
        }
        if token.words.contains(where: { if case .mode = $0 { true } else { false } }) {
            return (isOnlyTarget || isClimateDevice(index)) && !precedes(index) { $0.has(.to) }
        }
        if token.words.contains(where: { if case .color = $0 { true } else { false } }) { return isOnlyTarget }
        return token.entries.isEmpty || isNamed(token, at: index, isOnlyTarget)
    }

    /// Returns whether a word such as "heat" is a device: "the heating", and "the living room heating".
    ///
    /// "Heat the living room" and "thermostat to heat" are about a mode.
    private func isClimateDevice(_ index: Int) -> Bool {
        guard !tokens[index].types.isEmpty, index > 0 else { return false }
        let before = tokens[index - 1]
        return Self.isArticle(before)
            || before.isPlace && tokens.indices.allSatisfy { $0 == index || !tokens[$0].isTarget || tokens[$0].isPlace }
    }

    /// Returns whether a word with a function names an object here.
    ///
    /// "Turn off the lights" is not about a room named Off, nor is it about an outlet named The.
    private func isNamed(_ token: PhraseToken, at index: Int, _ isOnlyTarget: Bool) -> Bool {
        guard !token.isEverything, token.words.contains(where: \.isGrammatical) else { return true }
        guard isOnlyTarget, !token.words.contains(where: \.isReserved) || token.state != nil else { return false }
        guard token.state != nil || token.words.contains(where: \.isChange) else { return true }
        return tokens.indices.contains { other in
            let isSame = tokens[other].text.lowercased() == token.text.lowercased()
            return other != index && (isSame ? other < index : true)
                && (tokens[other].state != nil || tokens[other].number != nil
                    || tokens[other].words.contains(where: \.isChange))
        }
    }

    private func hasOtherState(than index: Int) -> Bool {
        tokens.indices.contains { $0 != index && (tokens[$0].state != nil || tokens[$0].has(.toggle)) }
    }

    /// Returns the meaning of a token's words at its position.
    private func word(of token: PhraseToken, at index: Int) -> PhraseWord? {
        guard token.words.count > 1 else { return token.words.first }
        // "Both lights" counts them.
        if token.has(.all), token.has(.some) { return .some }
        let before = tokens[..<index].last { !Self.isArticle($0) }
        let after = tokens[(index + 1)...].first { !Self.isArticle($0) }
        if token.has(.state(.on)), token.has(.place) {
            let follows = after?.isPlace == true
            let hasOther = hasOtherState(than: index) || hasChange(otherThan: index)
            return follows && hasOther && before?.has(.verb) != true ? .place : .state(.on)
        }
        if token.has(.to), token.has(.place) { return after?.isTarget == true ? .place : .to }
        if token.has(.except), token.has(.not) { return .except }
        if let mode = token.words.first(where: { if case .mode = $0 { true } else { false } }) { return mode }
        return token.words.first
    }

    /// Returns whether another token says what to do.
    private func hasChange(otherThan index: Int) -> Bool {
        tokens.indices.contains { other in
            other != index && (tokens[other].number != nil || tokens[other].words.contains(where: \.isChange))
        }
    }

    private static func unit(_ token: PhraseToken) -> PhraseUnit? {
        token.words.lazy.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }.first
    }
}
