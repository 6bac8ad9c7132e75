internal import AccessoryModel
internal import HAPCore

/// A part of a command between two words such as "and": what it describes, and what is to be done with it.
struct PhrasePart {
    var items: [PhraseTargetReader.Item] = []
    var words: [PhraseWord] = []
    /// The numbers with their units, in order.
    var numbers: [(number: Double, unit: PhraseUnit?)] = []
    var properties: [CharacteristicType] = []
    /// The words of a value that only a property knows, such as the name of one of its values.
    var valueTexts: [String] = []
    var hasBy = false
    var hasTo = false
    var isHere = false
    var isDark: Bool { words.contains(.dark) }

    var hasTarget: Bool {
        items.contains { item in
            switch item {
            case .token, .everything: true
            case .and, .except, .place, .all, .any, .article: false
            }
        }
    }

    /// Whether it says what to do.
    var hasChange: Bool { !words.isEmpty || !numbers.isEmpty || !valueTexts.isEmpty }

    /// Whether the value can only be the name of a value of a property.
    var isValueByName: Bool { numbers.isEmpty && !valueTexts.isEmpty }

    /// Whether the change makes sense for all services that have its property.
    var canMeanEverything: Bool {
        !properties.isEmpty || words.contains { if case .step = $0 { true } else { false } }
    }

    func appending(_ other: PhrasePart) -> PhrasePart {
        var joined = self
        joined.items += (other.hasTarget && hasTarget ? [.and] : []) + other.items
        joined.words += other.words
        joined.numbers += other.numbers
        joined.properties += other.properties
        joined.valueTexts += other.valueTexts
        joined.hasBy = hasBy || other.hasBy
        joined.hasTo = hasTo || other.hasTo
        joined.isHere = isHere || other.isHere
        return joined
    }

    /// Returns the changes.
    ///
    /// - Throws: ``HomeError`` if there is none, or if they contradict each other.
    func changes(_ text: String) throws(HomeError) -> [PhraseChange] {
        if isValueByName, !properties.isEmpty {
            guard words.isEmpty else { throw PhraseTargetReader.contradiction([text]) }
            return [.value(valueTexts.joined(separator: " "), of: properties)]
        }
        guard numbers.count <= 1, !hasSeveralValues else { throw PhraseTargetReader.contradiction([text]) }
        var changes: [PhraseChange] = []
        let size = size
        if let number = numbers.first, !usesNumberAsSize {
            changes.append(.number(number.number, number.unit, of: valueProperties))
        } else if let level, amount == nil {
            changes.append(.level(level, of: valueProperties))
        } else if let step {
            changes.append(.step(step.properties, isUp: step.isUp, size))
        } else if amount != nil, let isOpening {
            // "Open the blinds a bit".
            changes.append(.step([.targetPosition], isUp: isOpening, size))
        } else if let isUp = direction {
            changes.append(properties.isEmpty ? .move(isUp: isUp, size) : .step(properties, isUp: isUp, size))
        }
        let hasValue = !changes.isEmpty
        for word in unique {
            switch word {
            case .state(let state):
                // "Open halfway" and "close to 30 %" name a position; "on at 50 %" is a state and a value.
                if hasValue, [.open, .closed].contains(state) { continue }
                if hasValue, state != .on { throw PhraseTargetReader.contradiction([text]) }
                changes.append(.state(state))
            case .toggle: changes.append(.toggle)
            case .stop: changes.append(.stop)
            case .run: changes.append(.state(.on))
            case .dark: changes.append(.state(.on))
            case .color(let hue, let saturation): changes.append(.color(hue: hue, saturation: saturation))
            case .white(let kelvins): changes.append(.white(kelvins))
            case .arm: changes.append(.arm(mode ?? .away))
            case .disarm: changes.append(.disarm)
            case .mode(let mode): if !words.contains(.arm) { changes.append(.mode(mode)) }
            default: break
            }
        }
        guard !changes.isEmpty else {
            throw HomeError(
                .invalidValue,
                at: ObjectName.quoted(text),
                "It does not say what to do.",
                remedy: "Say a state or a value, such as on, off or 50%."
            )
        }
        if Self.contradicts(changes) { throw PhraseTargetReader.contradiction([text]) }
        return changes
    }

    /// Whether two words for values, steps or directions are said, of which only one could be used.
    private var hasSeveralValues: Bool {
        let levels = unique.count { if case .level = $0 { true } else { false } }
        let steps = unique.count { if case .step = $0 { true } else { false } }
        let directions = unique.count { $0 == .up || $0 == .down }
        return levels + (numbers.isEmpty ? 0 : 1) > 1 || steps > 1 || directions > 1
    }

    /// The words without repetitions.
    private var unique: [PhraseWord] {
        var seen: Set<PhraseWord> = []
        return words.filter { seen.insert($0).inserted }
    }

    /// Whether two changes cannot both be meant.
    private static func contradicts(_ changes: [PhraseChange]) -> Bool {
        var kinds: Set<String> = []
        return !changes.allSatisfy { change in
            let kind =
                switch change {
                case .state, .toggle, .stop, .arm, .disarm: "state"
                // "Turn off everything at home" does not arm the alarm.
                case .mode(.home), .mode(.away), .mode(.night): "state"
                case .number, .level, .step, .move, .value: "value"
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
    /// The properties that a step means, such as the brightness of "brighter".
    var stepProperties: [CharacteristicType] { step?.properties ?? [] }
    private var direction: Bool? { words.contains(.up) ? true : words.contains(.down) ? false : nil }
    /// Whether the number is the size of a step: "by 10%", and "up 2 degrees".
    private var usesNumberAsSize: Bool {
        if hasBy { return step != nil || direction != nil }
        // "2 degrees warmer" is a step; "dim the lamp 20 %" is a value.
        return !hasTo && (direction != nil || step != nil && !words.contains(.step(.dimmer)))
    }

    private var size: PhraseChange.Size {
        if let number = numbers.first, usesNumberAsSize { return .by(number.number, number.unit) }
        return switch amount {
        case .little: .little
        case .much: .much
        case nil: .normal
        }
    }
}
