internal import AccessoryModel
internal import HAPCore

/// What a phrase means in a home: a scene to run, services to change, or a question.
///
/// Reading a phrase needs no network and changes nothing. The actions of a phrase are derived from it with
/// ``actions(in:values:)``, and its answer with ``PhraseAnswer``.
///
/// ```swift
/// let phrase = try Phrase("turn off all lights except in the bedroom", in: home)
/// let actions = try phrase.actions(in: home, values: [:])
/// ```
public struct Phrase: Sendable, Hashable {
    /// The kinds of phrases.
    public enum Meaning: Sendable, Hashable {
        /// A scene runs.
        case scene(ObjectID<HomeScene>)
        /// Services are changed.
        case commands([PhraseCommand])
        /// A question, which never changes anything.
        case question(PhraseQuestion)
    }

    /// The maximum number of bytes in a phrase.
    public static let maximumByteCount = 1_024

    /// The home.
    public let home: ObjectID<Home>
    /// The meaning.
    public let meaning: Meaning

    init(in home: ObjectID<Home>, _ meaning: Meaning) {
        self.home = home
        self.meaning = meaning
    }

    /// Reads a phrase for a home.
    ///
    /// - Throws: ``HomeError``: ``HomeError/Code/unknownObject`` with the word that is unknown and similar ones,
    ///   ``HomeError/Code/ambiguousName`` with everything that the phrase could mean, or the reason why a part has no
    ///   meaning for the services.
    public init(_ text: String, in home: Home) throws(HomeError) {
        self = try PhraseReader(home, .english).phrase(text)
    }

    /// Reads the description of services, with or without a property, as a question for their states or values.
    ///
    /// - Throws: ``HomeError``, as ``init(_:in:)-(String,Home)`` does.
    public init(asking text: String, in home: Home) throws(HomeError) {
        self = try PhraseReader(home, .english).description(text)
    }

    /// Reads a phrase for the home that it names, or else for the primary home.
    ///
    /// - Throws: ``HomeError``, also if there are no homes.
    public init(_ text: String, in homes: Homes) throws(HomeError) {
        guard let primary = homes.primaryHome else { throw .noHome }
        do throws(HomeError) {
            self = try PhraseReader(primary, .english).phrase(text)
        } catch {
            guard error.code != .phraseTooLong else { throw error }
            // A name in the primary home takes precedence over the name of another home.
            guard let other = homes.home(namedIn: text, otherThan: primary) else { throw error }
            self = try PhraseReader(other, .english).phrase(text)
        }
    }

    /// Whether the phrase changes nothing.
    public var isQuestion: Bool {
        if case .question = meaning { true } else { false }
    }
}

/// A change of the services that a part of a phrase describes.
public struct PhraseCommand: Sendable, Hashable {
    /// The services.
    public internal(set) var services: [ObjectID<HomeService>]
    /// The services that the phrase names one by one.
    public internal(set) var named: Set<ObjectID<HomeService>>
    /// The services that can be opened, unlocked and disarmed.
    var openable: Set<ObjectID<HomeService>>
    /// The services that are described by more than a place.
    ///
    /// Only for lamps among them, "warmer" means the color.
    var specific: Set<ObjectID<HomeService>>
    /// What the phrase describes one by one.
    ///
    /// Each change must have an effect on each of them.
    var terms: [PhraseTerm]
    /// The changes.
    var changes: [PhraseChange]
    /// Heating and cooling, if the phrase names a device so.
    var conditioning: Set<PhraseMode> = []
}

extension HomeError {
    /// There is no home, so nothing can be said about it.
    static var noHome: HomeError {
        HomeError(
            .unknownObject,
            at: "",
            "There is no home.",
            remedy: "Add or import one."
        )
    }
}

extension Homes {
    /// Returns the home with the longest name that occurs in the words of a phrase.
    fileprivate func home(namedIn text: String, otherThan primary: Home) -> Home? {
        let words = text.split { $0.isWhitespace || ",?".contains($0) }.prefix(PhraseLexer.maximumWordCount)
            .map { ObjectName.key(of: String($0)) }
        let names = homes.filter { $0.id != primary.id }.keyed(by: \.name.key, \.self)
        for count in (1...max(words.count, 1)).reversed() where count <= words.count {
            for start in 0...words.count - count {
                if let home = names[words[start..<start + count].joined()] { return home }
            }
        }
        return nil
    }
}
