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
        var changes: [PhraseChange] = []
        var misread: HomeError?
        let isShort = text.utf8.count <= Self.maximumByteCount
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
            guard isShort else { throw Self.longValue(text, property, of: ids, in: home) }
            if changes.isEmpty { changes = [.value(text, of: property.map { [$0] } ?? [])] }
            do throws(HomeError) {
                return try command(changes, for: ids).actions(in: home, [:])
            } catch {
                // The text may be the name of a value, such as "Not Charging", even if it is not a value of a phrase.
                throw misread ?? error
            }
        }
    }

    private static func longValue(
        _ text: String,
        _ property: CharacteristicType?,
        of ids: [ObjectID<HomeService>],
        in home: Home
    ) -> HomeError {
        guard let service = ids.lazy.compactMap({ home.service($0) }).first,
            let type = property ?? service.primaryCharacteristic?.type, let known = service.characteristic(type)
        else { return .unknown("service", "that matches", at: home.name.text) }
        return .invalidValue(text, of: known, at: "\(home.name)/\(service.name)")
    }

    private func command(_ changes: [PhraseChange], for ids: [ObjectID<HomeService>]) -> PhraseCommand {
        PhraseCommand(
            services: ids,
            named: isMatchedByName && ids.count == 1 ? Set(ids) : [],
            openable: Set(ids),
            specific: isMatchedByName ? Set(ids) : [],
            terms: [],
            changes: changes,
            isForLater: true
        )
    }
}
