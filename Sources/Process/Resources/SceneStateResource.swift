package import Documents
package import HomeModel

/// Whether a scene is on.
package struct SceneStateResource: Sendable {
    private let scene: String
    private let isOn: Bool?
    private let unread: [String]?

    package init(_ state: SceneState, of scene: HomeScene, in home: HomeIndex) {
        self.scene = scene.name.text
        isOn = state.isOn
        unread = state.isOn == nil ? Self.services(of: state, in: home) : nil
    }

    /// Returns the names of the services that could not be read, without duplicates.
    package static func services(of state: SceneState, in home: HomeIndex) -> [String] {
        var known: Set<String> = []
        return state.unreadSelectors.compactMap { home.service($0.service)?.name.text }
            .filter { known.insert($0).inserted }
    }

    package static let format = Format<SceneStateResource>(
        response: "SceneState",
        .written("scene", \.scene, .string, "The name of the scene."),
        .written("on", \.isOn, .nullable(.boolean), "Whether all of its values apply; null if this is not known."),
        .written("unread", \.unread, .list(of: .string), "The services that could not be read, if it is not known.")
    )
}
