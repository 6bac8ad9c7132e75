import AccessoryModel
import ArgumentParser
import HomeModel

/// `What=Value` on the command line: one action or several.
enum SpokenAction {
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
            for action in try HomeQuery.resolve(phrase, in: home).actions(setting: value, in: home) {
                actions.removeAll { $0.characteristic == action.characteristic }
                actions.append(action)
            }
        }
        return actions
    }

    /// One characteristic with a value, such as what an automation waits for.
    static func single(_ text: String, in home: Home) throws(HomeError) -> HomeAction {
        guard let (phrase, spoken) = split(text) else {
            throw HomeError(.invalidValue, at: home.name.text, "There is no value in it.", remedy: "Write WHAT=VALUE.")
        }
        let (service, type) = try characteristic(phrase, in: home)
        let place = "\(home.name)/\(service.name)"
        guard let characteristic = service.characteristic(type) else {
            throw .noSuchCharacteristic(type, of: service.name.text, at: place)
        }
        guard let meant = characteristic.words.value(of: spoken) else {
            throw .invalidValue(spoken, of: characteristic, at: place)
        }
        return HomeAction(characteristic: CharacteristicSelector(service: service.id, type: type), value: meant)
    }

    /// One characteristic: `SERVICE/NAME`, or a phrase for a service and one of its properties.
    static func characteristic(
        _ text: String,
        in home: Home
    ) throws(HomeError) -> (HomeService, CharacteristicType) {
        let parts = text.split(separator: "/", maxSplits: 1)
        if parts.count == 2, let service = try? home.service(named: String(parts[0])) {
            if let found = service.characteristic(named: String(parts[1])) { return (service, found.type) }
            throw HomeError(
                .noSuchCharacteristic,
                at: "\(home.name)/\(service.name)",
                "It has no \(parts[1]).",
                remedy: "It has \(service.characteristics.map(\.name).joined(separator: ", "))."
            )
        }
        let match = try HomeQuery.resolve(text, in: home)
        guard case .services(let ids) = match.target, ids.count == 1, let service = home.service(ids[0]),
            let type = match.property ?? service.primaryCharacteristic?.type
        else {
            throw HomeError(
                .ambiguousName,
                at: home.name.text,
                "\"\(text)\" is not one property of one service.",
                remedy: "Write SERVICE/PROPERTY, such as \"Garage Door/Current Door State\"."
            )
        }
        return (service, type)
    }

    /// Which of the characteristics that actions set are meant.
    ///
    /// - Throws: `HomeError` when none is.
    static func places(
        _ text: String,
        of actions: [HomeAction],
        in home: Home
    ) throws(HomeError) -> [CharacteristicSelector] {
        let services: [ObjectID<HomeService>]
        let property: CharacteristicType?
        if text.contains("/") {
            let (service, type) = try characteristic(text, in: home)
            (services, property) = ([service.id], type)
        } else {
            let match = try HomeQuery.resolve(text, in: home)
            guard case .services(let ids) = match.target else {
                throw HomeError(
                    .ambiguousName,
                    at: home.name.text,
                    "A scene does not set another scene.",
                    remedy: "Name services, or SERVICE/PROPERTY."
                )
            }
            (services, property) = (ids, match.property)
        }
        let places = actions.map(\.characteristic)
            .filter { services.contains($0.service) && (property == nil || $0.type == property) }
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
