/// A scene: actions that are run together, such as "movie time".
///
/// HomeKit calls it an action set.
///
/// The properties of the content are also available as properties of the scene.
@dynamicMemberLookup
public struct HomeScene: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeScene>
    /// The name, unique among the scenes.
    public var name: ObjectName
    /// The kind and the actions.
    public var content: SceneContent<HomeIDs>

    /// A property of the content.
    public subscript<Value>(dynamicMember path: WritableKeyPath<SceneContent<HomeIDs>, Value>) -> Value {
        get { content[keyPath: path] }
        set { content[keyPath: path] = newValue }
    }
}

/// The kind and the actions of a scene.
public struct SceneContent<References: HomeReferences>: Sendable, Hashable {
    /// The kind of the scene.
    public var kind: SceneKind = .userDefined
    /// The actions, at most one for each characteristic.
    public var actions: [Action<References>] = []
}

/// The purpose of a scene.
///
/// A home has at most one scene of each built-in kind.
public enum SceneKind: String, Sendable, Hashable, CaseIterable {
    /// Getting up.
    case wakeUp
    /// Going to bed.
    case sleep
    /// Leaving home.
    case homeDeparture
    /// Coming home.
    case homeArrival
    /// Any other purpose.
    case userDefined

    /// Whether the kind is built into HomeKit; such a scene cannot be removed.
    public var isBuiltIn: Bool {
        self != .userDefined
    }
}

extension SceneContent: Codable where References == HomeIDs {}

extension HomeScene: Codable {}

extension SceneKind: Codable {}
