internal import AccessoryModel

/// A meaning of a word in phrases.
///
/// The grammar only knows these meanings. The words of a language that have them are a table: ``PhraseWords``.
enum PhraseWord: Sendable, Hashable {
    // The structure of a phrase.

    /// A word without a meaning of its own, such as an article or "please".
    case filler
    /// A filler that begins the description of something, such as "the"; a word after it can be an adjective.
    case determiner
    /// A filler that can belong to something, such as "power" in "the lamp's power".
    case noun
    /// The speaker or the listener as the subject of a sentence, which is a statement unless something is wanted.
    case subject
    /// The listener as the subject, whose wishes are not those of the speaker.
    case listener
    /// A verb that asks for a state, such as "want".
    case want
    /// A form of a verb that tells what has happened, such as "opened"; after another verb or "to", it is a state.
    case past
    /// A polite beginning of a request, which makes a question a request.
    case polite
    /// A verb that needs a state or a value, such as "turn" or "set".
    case verb
    /// A verb for what has a value, such as "increase" and "turn", which does not move a door.
    case adjust
    /// A verb that runs a scene or switches something on.
    case run
    /// The word before a value.
    case to
    /// The word before the size of a step.
    case by
    /// A preposition before a place or the owner of a property.
    case place
    /// The preposition between a part and the whole, as in "50 % of the lights".
    case partOf
    /// A word that joins two parts.
    case and
    /// A word between alternatives.
    case or
    /// A word that excludes what follows.
    case except
    /// Every object of a kind.
    case all
    /// Any object of a kind, in questions.
    case any
    /// Some objects of a kind, of which it is not known which ones.
    case some
    /// Every service.
    case everything
    /// The room of the speaker, which is not known.
    case here
    /// A word that reverses the meaning.
    case not
    /// A word that restricts a command to what it names, without a word about everything else.
    case only
    /// A word for another time than now.
    case later
    /// A word before a condition, such as "if".
    case condition

    // Changes.

    case state(PhraseState)
    case toggle
    case stop
    /// Toward more: up, raise, increase.
    case up
    /// Toward less: down, lower, decrease.
    case down
    /// A step of a property, such as "brighter".
    case step(PhraseStep)
    /// To half of the present value.
    case halve
    /// The size of a step.
    case amount(StepSize)
    /// A fraction of the range of a property, such as "half".
    case level(PhraseLevel)
    /// A number in words.
    case number(Int)
    case unit(PhraseUnit)
    /// A color by hue and saturation.
    case color(hue: Int, saturation: Int)
    /// A white by its color temperature in kelvins.
    case white(Int)
    case mode(PhraseMode)
    case arm
    case disarm
    /// It is dark in a place: the lights there are wanted.
    case dark
    /// The word "dark" without "it is", which says nothing about what to do.
    case darkAlone

    // Questions.

    /// A question that is answered with yes or no.
    case isIt
    /// The beginning of a question whether something may or should be done, which is answered with the state.
    case mayI
    /// A question about what was left or forgotten.
    case did
    /// The word after which the state is the forgotten one.
    case forget
    case leave
    /// A question that is answered with a list or a value.
    case which
    case who
    /// A question for a value, with the property that an adjective means.
    case how(PhraseAdjective)
    /// A person without a name.
    case someone
    case everyone
    case noOne
    /// The state of something in words.
    case status
    case hazard(PhraseHazard)
    /// An alarm that has gone off.
    case triggered
    case batteryLow
    case unreachable

    // Scenes.

    case scene(SceneKind)
    /// The word "scene".
    case sceneWord

    /// A camera, which is out of scope.
    case camera
}

extension PhraseWord {
    /// Whether the word is a state.
    var isState: Bool { if case .state = self { true } else { false } }

    /// Whether the word is a step of a property, such as "dimmer".
    var isStep: Bool { if case .step = self { true } else { false } }

    /// Whether the word has a function in a phrase, so that an object with this name is meant only where it has none.
    var isGrammatical: Bool {
        switch self {
        case .scene, .everything: false
        default: true
        }
    }

    /// Whether the word says what to do, besides a state.
    var isChange: Bool {
        switch self {
        case .toggle, .stop, .up, .down, .step, .halve, .level, .number, .color, .white, .mode, .arm, .disarm: true
        default: false
        }
    }

    /// Whether the word always has its function.
    var isReserved: Bool {
        switch self {
        case .not, .and, .except, .to, .by, .place, .later, .here, .all, .any, .some, .polite, .subject, .want: true
        default: false
        }
    }

    /// Whether the word can be the beginning of a name in the plural, such as "mood lights" for Mood Light.
    var canBeginName: Bool {
        switch self {
        case .sceneWord, .color, .white, .mode, .level, .step, .dark, .darkAlone, .hazard, .status, .scene: true
        default: false
        }
    }

    /// Whether the word is suggested in place of an unknown one.
    var isSuggested: Bool {
        switch self {
        case .state, .toggle, .stop, .up, .down, .step, .color, .white, .mode, .arm, .disarm, .everything, .hazard,
            .batteryLow, .scene, .verb, .run, .which, .level, .except, .unreachable:
            true
        default: false
        }
    }

    /// Whether the word connects others or says what to do, so that it is not a part of a name without spaces.
    var isStructural: Bool {
        switch self {
        case .verb, .run, .to, .by, .place, .and, .except, .not, .state, .toggle, .stop, .up, .down: true
        default: false
        }
    }
}

/// A state that a service has, and that most services can be set to.
enum PhraseState: String, Sendable, Hashable {
    case on, off, open, closed, locked, unlocked
}

/// A property that a step changes, and its direction.
enum PhraseStep: Sendable, Hashable {
    case brighter, dimmer, warmer, cooler, faster, slower, louder, quieter
}

/// The size of a step.
enum StepSize: Sendable, Hashable {
    case little, much
}

/// A fraction of a range.
enum PhraseLevel: Sendable, Hashable {
    case minimum, low, half, threeQuarters, maximum
    /// The end of the range toward which something goes: "fully", "all the way".
    case complete
}

/// A unit of a number.
enum PhraseUnit: Sendable, Hashable {
    case percent, degrees, fahrenheit, kelvin
}

/// A mode of a thermostat or a security system.
enum PhraseMode: String, Sendable, Hashable {
    case heat, cool, automatic, home, away, night
}

/// An adjective that asks for a value.
enum PhraseAdjective: Sendable, Hashable {
    case warm, bright, humid, open, full
    /// How something is, in general.
    case general
}

/// Something dangerous that a sensor detects.
enum PhraseHazard: Sendable, Hashable {
    case smoke, leak, carbonMonoxide
}
