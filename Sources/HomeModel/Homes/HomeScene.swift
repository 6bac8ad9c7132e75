/// Actions that are run together, such as "movie time": an action set.
public struct HomeScene: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<HomeScene>
    /// What people call it; unique among the scenes.
    public var name: ObjectName
    /// What it is for.
    public let kind: SceneKind
    /// What it does: at most one action for each characteristic.
    public var actions: [HomeAction]

    /// Creates a scene.
    public init(
        id: ObjectID<HomeScene>,
        name: ObjectName,
        kind: SceneKind = .userDefined,
        actions: [HomeAction] = []
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.actions = actions
    }
}
