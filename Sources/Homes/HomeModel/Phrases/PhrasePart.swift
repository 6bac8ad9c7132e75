internal import AccessoryModel
internal import HAPCore

/// A part of a command between two words such as "and": what it describes, and what is to be done with it.
struct PhrasePart {
    var items: [PhraseTargetReader.Item] = []
    /// An exception that was said before the command.
    var leadingException: [PhraseTargetReader.Item] = []
    /// The description of the services.
    var description: [PhraseTargetReader.Item] { items + leadingException }
    /// The words that say what is to be done, and their texts.
    private(set) var words: [PhraseWord] = []
    private(set) var wordTexts: [String] = []
    /// The numbers with their units, in order.
    var numbers: [(number: Double, unit: PhraseUnit?)] = []
    /// The properties that the words name, a list for each of them.
    var propertyGroups: [[CharacteristicType]] = []
    var propertyTexts: [String] = []
    /// The words of a value that only a property knows, such as the name of one of its values.
    var valueTexts: [String] = []
    var hasBy = false
    var hasTo = false
    var isHere = false
    /// Whether a verb such as "increase" says that up and down concern a value, and not a movement.
    var isAboutValue = false
    /// Heating or cooling, if a device is named so: "the heating".
    var conditioning: Set<PhraseMode> = []
    var isDark: Bool { words.contains(.dark) }
    /// Whether it only says that it is dark in a place.
    var isPlaceInTheDark: Bool {
        words.allSatisfy { $0 == .dark } && !hasValue && properties.isEmpty && hasTarget
            && description.allSatisfy { if case .token(let token) = $0 { token.isPlace } else { true } }
    }
    var properties: [CharacteristicType] { propertyGroups.flatMap(\.self) }

    var hasTarget: Bool { items.contains(where: \.describes) }

    /// Whether it only consists of an exception.
    var isExceptionAlone: Bool {
        let first = items.first { if case .article = $0 { false } else { true } }
        guard let first, case .except = first, hasTarget else { return false }
        return !hasChange && properties.isEmpty
    }

    /// Whether it says what to do.
    var hasChange: Bool { !words.isEmpty || !numbers.isEmpty || !valueTexts.isEmpty }

    /// Whether the value can only be the name of a value of a property.
    var isValueByName: Bool { numbers.isEmpty && !valueTexts.isEmpty }

    /// Whether the change makes sense for all services that have its property.
    var canMeanEverything: Bool {
        !properties.isEmpty || has(.halve) || words.contains { if case .step = $0 { true } else { false } }
    }

    /// Whether it has a value of its own: a number, a level, or the name of a value.
    var hasValue: Bool { !numbers.isEmpty || !valueTexts.isEmpty || level != nil }

    mutating func add(_ word: PhraseWord, _ text: String) {
        words.append(word)
        wordTexts.append(text)
    }

    mutating func add(_ properties: [CharacteristicType], _ text: String) {
        propertyGroups.append(properties)
        propertyTexts.append(text)
    }

    /// Takes over the services of another part, as in "brightness 50 and hue 120 of the lamp".
    mutating func takeTarget(of other: PhrasePart) {
        items = other.items
        leadingException = other.leadingException
        isHere = isHere || other.isHere
        conditioning.formUnion(other.conditioning)
    }

    func appending(_ other: PhrasePart) -> PhrasePart {
        var joined = self
        joined.items += (other.hasTarget && hasTarget ? [.and] : []) + other.items
        joined.leadingException = leadingException.isEmpty ? other.leadingException : leadingException
        joined.words += other.words
        joined.wordTexts += other.wordTexts
        joined.numbers += other.numbers
        joined.propertyGroups += other.propertyGroups
        joined.propertyTexts += other.propertyTexts
        joined.valueTexts += other.valueTexts
        joined.hasBy = hasBy || other.hasBy
        joined.hasTo = hasTo || other.hasTo
        joined.isHere = isHere || other.isHere
        joined.isAboutValue = isAboutValue || other.isAboutValue
        joined.conditioning.formUnion(other.conditioning)
        return joined
    }

    /// Returns the changes.
    ///
    /// Every word must have an effect: a word that no change uses is an error, and is never left out.
    ///
    /// - Throws: ``HomeError`` if there is none, or if they contradict each other.
    func changes(_ text: String) throws(HomeError) -> [PhraseChange] {
        let contradiction = HomeError(.contradiction, in: text)
        try checkProperties()
        if isValueByName, !properties.isEmpty {
            guard words.isEmpty else { throw contradiction }
            return [.value(valueTexts.joined(separator: " "), of: properties)]
        }
        guard numbers.count <= 1, !hasSeveralValues, !hasOppositeDirections else { throw contradiction }
        let valueChange = valueChange()
        var changes = valueChange.map { [$0] } ?? []
        var usesProperties = valueChange != nil
        for (word, wordText) in unique {
            switch word {
            case .state(let state):
                // "Open halfway" and "close to 30 %" name a position; "on at 50 %" is a state and a value.
                if valueChange != nil, [.open, .closed].contains(state) { continue }
                if valueChange != nil, state != .on { throw contradiction }
                if !usesProperties, !properties.isEmpty, words.count == 1 {
                    // The state is the name of a value, as in "target door state open".
                    return [.value(wordText, of: properties)]
                }
                changes.append(.state(state))
            case .toggle: changes.append(.toggle)
            case .stop: changes.append(.stop)
            case .run: changes.append(.state(.on))
            case .dark: changes.append(.state(.on))
            case .color(let hue, let saturation):
                usesProperties = usesProperties || properties == [.hue]
                changes.append(.color(hue: hue, saturation: saturation))
            case .white(let kelvins):
                usesProperties = usesProperties || properties == [.hue] || properties == [.colorTemperature]
                changes.append(.white(kelvins))
            case .arm, .disarm:
                if valueChange == nil, !properties.isEmpty, words.count == 1 {
                    return [.value(wordText, of: properties)]
                }
                changes.append(word == .arm ? .arm(mode ?? .away) : .disarm)
            case .mode(let mode) where !has(.arm):
                if !usesProperties, !properties.isEmpty, words.count == 1 {
                    return [.value(wordText, of: properties)]
                }
                changes.append(.mode(mode))
            default: break
            }
        }
        guard !changes.isEmpty else { throw HomeError(amount == nil ? .nothingToDo : .amountWithoutStep, in: text) }
        guard amount == nil || usesAmount else { throw HomeError(.amountWithoutStep, in: text) }
        guard !hasBy || !numbers.isEmpty && usesNumberAsSize || usesAmount else {
            throw HomeError(.byWithoutStep, in: text)
        }
        guard properties.isEmpty || usesProperties, !Self.contradicts(changes), !colorsWhatIsOff else {
            throw contradiction
        }
        return changes
    }

    /// Whether it gives a color to services that it switches off, as in "turn off the red lights".
    private var colorsWhatIsOff: Bool {
        let hasColor = unique.contains { item in
            switch item.word {
            case .color, .white: true
            default: false
            }
        }
        return hasColor
            && unique.contains { $0.word == .toggle || $0.word.isState && $0.word != .state(.on) }
    }

    /// Returns the change to a value, or by a step.
    private func valueChange() -> PhraseChange? {
        let size = size
        if let number = numbers.first, !usesNumberAsSize {
            return .number(number.number, number.unit, of: valueProperties)
        }
        if let level, amount == nil {
            guard level == .complete else { return .level(level, of: valueProperties) }
            // "Close completely" and "fully off" say nothing more than the state.
            if unique.contains(where: { $0.word.isState && $0.word != .state(.on) }) { return nil }
            if step == nil, direction == nil { return .level(.maximum, of: valueProperties) }
        }
        if has(.halve) { return .step(properties.isEmpty ? [.brightness] : properties, isUp: false, .half) }
        if let step {
            let meant = properties.isEmpty ? step.properties : step.properties.filter(properties.contains)
            return meant.isEmpty ? nil : .step(meant, isUp: step.isUp, size)
        }
        // "Open the blinds a bit".
        if amount != nil, let isOpening { return .step([.targetPosition], isUp: isOpening, size) }
        return direction.map { isUp in
            guard properties.isEmpty else { return .step(properties, isUp: isUp, size) }
            return .move(isUp: isUp, size, isAboutValue: isAboutValue)
        }
    }

    /// Checks that at most one property is named, by one or several words.
    func checkProperties() throws(HomeError) {
        guard let first = propertyGroups.first, !propertyGroups.allSatisfy({ $0.contains(where: first.contains) })
        else { return }
        throw Self.severalProperties(propertyTexts)
    }

    /// Whether two words for values, steps or directions are said, of which only one could be used.
    private var hasSeveralValues: Bool {
        let levels = unique.count { if case .level = $0.word { true } else { false } }
        let steps = unique.count { item in
            if case .step = item.word { true } else { item.word == .halve }
        }
        let amounts = unique.count { if case .amount = $0.word { true } else { false } }
        let modes = unique.count { if case .mode = $0.word { true } else { false } }
        let directions = unique.count { $0.word == .up || $0.word == .down }
        let isHalved = has(.halve) && (!numbers.isEmpty || levels + amounts + directions > 0)
        return isHalved || levels + (numbers.isEmpty ? 0 : 1) > 1 || steps > 1 || directions > 1 || amounts > 1
            || modes > 1 && has(.arm) || amounts > 0 && (levels > 0 || !numbers.isEmpty)
    }

    /// Whether words say opposite directions, such as "close up" and "dim to the maximum".
    private var hasOppositeDirections: Bool {
        let said = Set([direction, isOpening, step?.isUp].compactMap(\.self))
        guard !has(.state(.open)) || !has(.state(.locked)) else { return true }
        return said.count > 1 || said.contains(false) && level == .maximum || said.contains(true) && level == .minimum
    }

    /// The words without repetitions, with their texts.
    private var unique: [(word: PhraseWord, text: String)] {
        var seen: Set<PhraseWord> = []
        return zip(words, wordTexts).filter { seen.insert($0.0).inserted }.map { (word: $0, text: $1) }
    }

    private func has(_ word: PhraseWord) -> Bool { words.contains(word) }

    /// Whether two changes cannot both be meant.
    private static func contradicts(_ changes: [PhraseChange]) -> Bool {
        var kinds: Set<String> = []
        return !changes.allSatisfy { change in
            let kind =
                switch change {
                // "Close and lock the garage door" are two things.
                case .state(.locked), .state(.unlocked): "lock"
                case .state, .toggle, .stop, .arm, .disarm: "state"
                // "Turn off everything at home" does not arm the alarm.
                case .mode(.home), .mode(.away), .mode(.night): "state"
                case .number(_, .kelvin, _): "color"
                case .number(_, _, let types), .level(_, let types):
                    types.contains { [.hue, .saturation, .colorTemperature].contains($0) } ? "color" : "value"
                case .step, .move, .value: "value"
                case .color, .white: "color"
                case .mode: "mode"
                }
            return kinds.insert(kind).inserted
        }
    }

    private var amount: StepSize? {
        words.lazy.compactMap { if case .amount(let size) = $0 { size } else { nil } }.first
    }
    private var level: PhraseLevel? {
        words.lazy.compactMap { if case .level(let level) = $0 { level } else { nil } }.first
    }
    private var mode: PhraseMode? {
        words.lazy.compactMap { if case .mode(let mode) = $0 { mode } else { nil } }.first
    }
    private var step: (properties: [CharacteristicType], isUp: Bool)? {
        words.lazy.compactMap { if case .step(let step) = $0 { step.meaning } else { nil } }.first
    }
    /// The properties of a value: "open to 30 %" is a position.
    private var valueProperties: [CharacteristicType] {
        properties.isEmpty && isOpening != nil ? [.targetPosition] : properties
    }
    /// Whether something opens or closes.
    private var isOpening: Bool? {
        words.contains(.state(.open)) ? true : words.contains(.state(.closed)) ? false : nil
    }
    private var direction: Bool? { words.contains(.up) ? true : words.contains(.down) ? false : nil }
    /// Whether the number is the size of a step: "by 10%", and "up 2 degrees".
    private var usesNumberAsSize: Bool {
        if hasBy { return step != nil || direction != nil }
        // "2 degrees warmer" is a step; "dim the lamp 20 %" is a value.
        return !hasTo && (direction != nil || step != nil && !words.contains(.step(.dimmer)))
    }

    /// Whether "a little" or "much" is the size of a step.
    private var usesAmount: Bool {
        amount != nil && numbers.isEmpty && level == nil && (step != nil || direction != nil || isOpening != nil)
    }

    private var size: PhraseChange.Size {
        if let number = numbers.first, usesNumberAsSize { return .by(number.number, number.unit) }
        if has(.level(.complete)) { return .complete }
        return switch amount {
        case .little: .little
        case .much: .much
        case nil: .normal
        }
    }
}

extension PhrasePart {
    private static func severalProperties(_ texts: [String]) -> HomeError {
        HomeError(
            .invalidValue,
            at: texts.map(ObjectName.quoted).joined(separator: ", "),
            "Several properties have only one value.",
            remedy: "Say a value after each of them, such as \"brightness 50% and hue 120\"."
        )
    }
}
