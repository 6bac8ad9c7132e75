internal import AccessoryModel

extension PhraseMatch {
    /// Returns the actions that set the matched services or scene to a value.
    ///
    /// The value is a word (`on`, `off`, `open`, `close`, `lock`, `unlock`), the name of one of Apple's values, or a
    /// number with or without its unit. A scene can only be set to `on`.
    ///
    /// - If the phrase names a property, the value is set for that property.
    /// - Otherwise, a word applies to the primary characteristic of each service. A number applies to the most likely
    ///   property: brightness, speed, position, temperature, humidity or volume.
    /// - If the phrase matches several services, those for which the value has no meaning are skipped.
    /// - `on` and `off` do not move doors, windows, coverings and locks, unless the phrase matches only that service,
    ///   by its own name or type. So switching on everything in a garage does not open its door.
    ///
    /// - Throws: ``HomeError/Code/invalidValue`` if a scene is set to anything but `on`, or
    ///   ``HomeError/Code/unknownObject`` if the home has changed since the match. If no matched service can be set,
    ///   the error of the first one.
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
            throw refusal ?? .unknown("service", "that matches", at: home.name.text)
        }
        return actions
    }
}
