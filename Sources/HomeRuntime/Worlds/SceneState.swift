internal import AccessoryModel
package import HomeModel

/// Whether a scene is on, as far as its accessories can be asked.
package struct SceneState: Sendable, Hashable {
    /// Whether all of its values hold; `nil` when that is unknown.
    package let isOn: Bool?
    /// The characteristics that can be read, but have not been.
    package let unread: [CharacteristicSelector]
}

extension HomeWorld {
    /// Reads whether a scene of a home is on.
    package func state(of scene: HomeScene, in home: Home) async -> SceneState {
        let selectors = scene.actions.map(\.characteristic)
        let values = await read(selectors.compactMap { home.reference(of: $0) })
        let value = { selector in home.reference(of: selector).flatMap { values[$0] } }
        // A characteristic that can only be written does not show whether its value holds.
        let readable = selectors.filter { home.characteristic($0)?.permissions.contains(.read) == true }
        let unread = readable.filter { value($0) == nil }
        let isKnown = unread.isEmpty || scene.isOff(in: home, value: value)
        return SceneState(isOn: isKnown ? scene.isOn(in: home, value: value) : nil, unread: unread)
    }
}
