/// What a file says of a scene.
package struct DocumentedScene: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// Which kind it is.
    package var kind: SceneKind
    /// What it sets.
    package var actions: [DocumentedAction]

    package init(name: Placed<ObjectName>, kind: SceneKind = .userDefined, actions: [DocumentedAction]) {
        self.name = name
        self.kind = kind
        self.actions = actions
    }
}
