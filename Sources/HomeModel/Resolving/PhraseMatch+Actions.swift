internal import AccessoryModel

extension PhraseMatch {
    /// What is done when somebody sets what they mean to a value.
    ///
    /// The value is a word (`on`, `off`, `open`, `close`, `lock`, `unlock`), the name of one of Apple's values, or a number
    /// with or without its unit. With a property it is the value of that. Without one, a word is for what has such a switch,
    /// and a number for what people mean with one: brightness, speed, position, temperature. Where several services are
    /// meant, those for which it is nothing are left alone; and `on` and `off` move no door and no lock unless that is the
    /// only thing that is meant, by its own name or its type: a garage that is switched on is not opened. A scene is set to `on`.
    ///
    /// - Throws: ``HomeError``: ``HomeError/Code/invalidValue``, or that of a single service: it has no such characteristic,
    ///   or one that cannot be written; ``HomeError/Code/unknownObject`` when the home has changed since.
    public func actions(setting text: String, in home: Home) throws(HomeError) -> [HomeAction] {
        let value = ValuePhrase(text)
        switch target {
        case .scene(let id):
            guard let scene = home.scene(id) else { throw .unknown("scene", "\(id)", at: home.name.text) }
            guard value.isOn else {
                throw HomeError(
                    .invalidValue,
                    at: "\(home.name)/\(scene.name)",
                    "A scene is set to on, not to \(ObjectName.quoted(text)).",
                    remedy: "Set another scene, or the services themselves."
                )
            }
            return scene.actions
        case .services(let ids):
            return try actions(setting: value, of: ids, in: home)
        }
    }

    private func actions(
        setting value: ValuePhrase,
        of ids: [ObjectID<HomeService>],
        in home: Home
    ) throws(HomeError) -> [HomeAction] {
        let wanted = Set(ids)
        let services = home.accessories.flatMap(\.services).filter { wanted.contains($0.id) }
        var actions: [HomeAction] = []
        var refusal: HomeError?
        for service in services {
            let place = "\(home.name)/\(service.name)"
            guard
                let (type, meant) = value.effect(
                    for: service,
                    property: property,
                    isAlone: isMatchedByName && services.count == 1
                )
            else {
                refusal = refusal ?? value.error(for: service, property: property, at: place)
                continue
            }
            let action = HomeAction(
                characteristic: CharacteristicSelector(service: service.id, type: type),
                value: meant
            )
            if let error = Home.violation(of: action, on: service, at: place) {
                refusal = refusal ?? error
            } else {
                actions.append(action)
            }
        }
        if actions.isEmpty {
            throw refusal ?? .unknown("service", "that is meant", at: home.name.text)
        }
        return actions
    }
}
