import AccessoryModel
import ArgumentParser
import HomeModel

/// A command-line argument `WHAT=VALUE` that stands for one or more actions.
enum HomeActionArgument {
    /// Checks that all arguments have a value.
    ///
    /// - Throws: `ValidationError` if one has none.
    static func check(_ texts: [String]) throws {
        for text in texts where split(text) == nil {
            throw ValidationError("\"\(text)\" has no value; write WHAT=VALUE, such as \"Upstairs lights=off\".")
        }
    }

    /// Returns the actions of all arguments.
    ///
    /// If several of them set the same characteristic, the last one counts.
    static func actions(_ texts: [String], in home: Home) throws(HomeError) -> [HomeAction] {
        var actions: [HomeAction] = []
        for text in texts {
            guard let (phrase, value) = split(text) else { continue }
            for action in try Self.actions(setting: phrase, to: value, in: home) {
                actions.removeAll { $0.characteristic == action.characteristic }
                actions.append(action)
            }
        }
        return actions
    }

    private static func actions(
        setting phrase: String,
        to value: String,
        in home: Home
    ) throws(HomeError) -> [HomeAction] {
        do throws(HomeError) {
            return try HomePhraseResolver.resolve(phrase, in: home).actions(setting: value, in: home)
        } catch {
            // Phrases do not contain hidden services and UUIDs, but a property in a home file does.
            guard phrase.contains("/"), let action = try? home.action(setting: phrase, to: value) else { throw error }
            return [action]
        }
    }

    /// Returns the characteristics that a text selects among those that the actions set.
    ///
    /// - Throws: `HomeError` when it selects none.
    static func selectors(
        _ text: String,
        of actions: [HomeAction],
        in home: Home
    ) throws(HomeError) -> [CharacteristicSelector] {
        let places: [CharacteristicSelector]
        if text.contains("/") {
            let place = try home.characteristic(named: text)
            places = actions.map(\.characteristic).filter { $0 == place }
        } else {
            let match = try HomePhraseResolver.resolve(text, in: home)
            guard case .services(let ids) = match.target else {
                let remedy = "Name services, or SERVICE/PROPERTY."
                throw HomeError(
                    .ambiguousName,
                    at: home.name.text,
                    "A scene cannot contain another scene.",
                    remedy: remedy
                )
            }
            places = actions.map(\.characteristic)
                .filter { ids.contains($0.service) && (match.property == nil || $0.type == match.property) }
        }
        guard !places.isEmpty else {
            let index = HomeIndex(home)
            let set = actions.map { index.text(of: $0.characteristic) }
            throw HomeError(
                .unknownObject,
                at: home.name.text,
                "The scene does not set \"\(text)\".",
                remedy: set.isEmpty ? "It has no actions." : "It sets \(set.joined(separator: ", "))."
            )
        }
        return places
    }

    private static func split(_ text: String) -> (phrase: String, value: String)? {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        let value = text[text.index(after: sign)...]
        return value.isEmpty ? nil : (String(text[..<sign]), String(value))
    }
}
