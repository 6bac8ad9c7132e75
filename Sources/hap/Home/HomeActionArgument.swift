import AccessoryModel
import ArgumentParser
import HomeModel

/// `What=Value` on the command line: one action or several.
enum HomeActionArgument {
    /// Throws when one has no value.
    static func check(_ texts: [String]) throws {
        for text in texts where split(text) == nil {
            throw ValidationError("\"\(text)\" has no value; write WHAT=VALUE, such as \"Upstairs lights=off\".")
        }
    }

    /// What all of them set together; of two for one characteristic the last counts.
    static func actions(_ texts: [String], in home: Home) throws(HomeError) -> [HomeAction] {
        var actions: [HomeAction] = []
        for text in texts {
            guard let (phrase, value) = split(text) else { continue }
            for action in try HomePhraseResolver.resolve(phrase, in: home).actions(setting: value, in: home) {
                actions.removeAll { $0.characteristic == action.characteristic }
                actions.append(action)
            }
        }
        return actions
    }

    /// The state of a characteristic that an automation waits for.
    static func state(_ text: String, in home: Home) throws(HomeError) -> HomeAction {
        guard let (phrase, spoken) = split(text) else {
            throw HomeError(.invalidValue, at: home.name.text, "There is no value in it.", remedy: "Write WHAT=VALUE.")
        }
        return try home.state(of: phrase, being: spoken)
    }

    /// Which of the characteristics that actions set are meant.
    ///
    /// - Throws: `HomeError` when none is.
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
                    "A scene does not set another scene.",
                    remedy: remedy
                )
            }
            places = actions.map(\.characteristic)
                .filter { ids.contains($0.service) && (match.property == nil || $0.type == match.property) }
        }
        guard !places.isEmpty else {
            let set = actions.map { home.text(of: $0.characteristic) }
            throw HomeError(
                .unknownObject,
                at: home.name.text,
                "\"\(text)\" is nothing that the scene sets.",
                remedy: set.isEmpty ? "It sets nothing." : "It sets \(set.joined(separator: ", "))."
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
