internal import AccessoryModel
internal import HAPCore

extension PhraseMatch {
    /// The maximum number of bytes in a value.
    private static let maximumByteCount = 256

    /// Returns the actions that set the matched services or scene to a value, for a scene or an automation.
    ///
    /// The value is what a phrase can say of services: `on`, `off`, `open`, `lock`, a color, a mode, or a number with or
    /// without its unit. It can also be the name of a value of Apple's. A scene can only be set to `on`.
    ///
    /// - If the match has a property, the value is set for that property.
    /// - If the match has several services, those for which the value has no meaning are skipped.
    /// - `on` and `off` concern what can be switched, as in a phrase. So switching on everything in a garage does not
    ///   open its door.
    /// - Steps, such as `brighter` and `toggle`, depend on the current value, so they are refused.
    ///
    /// - Throws: ``HomeError/Code/invalidValue`` if a scene is set to anything but `on`, or
    ///   ``HomeError/Code/unknownObject`` if the home has changed since the match. If no matched service can be set,
    ///   the error of the first one.
    public func actions(setting text: String, in home: Home) throws(HomeError) -> [HomeAction] {
        let isShort = text.utf8.count <= Self.maximumByteCount
        var changes: [PhraseChange] = []
        var misread: HomeError?
        if isShort, property == nil {
            do throws(HomeError) { changes = try PhraseReader.changes(to: text, .english) } catch { misread = error }
        }
        switch target {
        case .scene(let id):
            guard let scene = home.scene(id) else { throw .unknown("scene", "\(id)", at: home.name.text) }
            guard changes == [.state(.on)] else {
                throw HomeError(
                    .invalidValue,
                    at: "\(home.name)/\(scene.name)",
                    "A scene is set to on, not to \(ObjectName.quoted(text)).",
                    remedy: "Set another scene, or the services themselves."
                )
            }
            return scene.actions
        case .services(let ids):
            do throws(HomeError) {
                return try actions(isShort ? changes : nil, text, of: ids, in: home)
            } catch {
                // The text may be the name of a value, such as "Not Charging", even if it is not a value of a phrase.
                throw misread ?? error
            }
        }
    }

    /// Returns the actions of changes, or of a value by its name if there are none; `nil` changes have no effect.
    private func actions(
        _ changes: [PhraseChange]?,
        _ text: String,
        of ids: [ObjectID<HomeService>],
        in home: Home
    ) throws(HomeError) -> [HomeAction] {
        let wanted = Set(ids)
        let services = home.accessories.flatMap(\.services).filter { wanted.contains($0.id) }
        var actions: [HomeAction] = []
        var refusal: HomeError?
        for service in services {
            let place = "\(home.name)/\(service.name)"
            let effect = PhraseEffect(
                service: service,
                value: { _ in nil },
                isSpecific: isMatchedByName,
                isNamed: isMatchedByName && services.count == 1
            )
            let named = property ?? service.primaryCharacteristic?.type
            do throws(PhraseEffect.Refusal) {
                guard var changes else { throw .noMeaning }
                if changes.isEmpty { changes = [.value(text, of: named.map { [$0] } ?? [])] }
                var set: [HomeAction] = []
                for change in changes {
                    for setting in try effect.settings(change) {
                        let selector = CharacteristicSelector(service: service.id, type: setting.type)
                        set.removeAll { $0.characteristic == selector }
                        set.append(HomeAction(characteristic: selector, value: setting.value))
                    }
                }
                let violation = set.lazy.compactMap { Home.violation(of: $0, on: service, at: place) }.first
                if violation == nil { actions += set }
                refusal = refusal ?? violation
            } catch {
                refusal = refusal ?? self.error(error, text, for: service, at: place)
            }
        }
        guard !actions.isEmpty else { throw refusal ?? .unknown("service", "that matches", at: home.name.text) }
        return actions
    }

    private func error(
        _ refusal: PhraseEffect.Refusal,
        _ text: String,
        for service: HomeService,
        at place: String
    ) -> HomeError {
        if let property {
            guard let characteristic = service.characteristic(property) else {
                return .noSuchCharacteristic(property, of: service.name.text, at: place)
            }
            return .invalidValue(text, of: characteristic, at: place)
        }
        if case .unknownValue = refusal {
            return HomeError(
                .invalidValue,
                at: place,
                "\(ObjectName.quoted(text)) is a step from a value that is not known yet.",
                remedy: "Write the value itself, such as on, off or 50%."
            )
        }
        return HomeError(
            .invalidValue,
            at: place,
            "\(service.name) cannot be set to \(ObjectName.quoted(text)).",
            remedy: "Write one of its properties and a value, such as Brightness 50 for a light."
        )
    }
}
