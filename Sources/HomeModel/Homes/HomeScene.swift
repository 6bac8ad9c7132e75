/// Actions that are run together, such as "movie time": an action set.
///
/// The properties of the content are also those of the scene.
@dynamicMemberLookup
public struct HomeScene: NamedObject, Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeScene>
    /// The name, unique among the scenes.
    public var name: ObjectName
    /// What it is for, and what it does.
    public var content: SceneContent<HomeIDs>

    /// A property of the content.
    public subscript<Value>(dynamicMember path: WritableKeyPath<SceneContent<HomeIDs>, Value>) -> Value {
        get { content[keyPath: path] }
        set { content[keyPath: path] = newValue }
    }
}

/// What a scene is for, and what it does.
public struct SceneContent<References: HomeReferences>: Sendable, Hashable {
    /// What it is for.
    public var kind: SceneKind = .userDefined
    /// What it does: at most one action for each characteristic.
    public var actions: [Action<References>] = []
}

/// What a scene is for.
///
/// A home has each of the built-in kinds at most once.
public enum SceneKind: String, Sendable, Hashable, CaseIterable {
    /// Getting up.
    case wakeUp
    /// Going to bed.
    case sleep
    /// Leaving home.
    case homeDeparture
    /// Coming home.
    case homeArrival
    /// Anything else.
    case userDefined

    /// Whether HomeKit knows it by itself: such a scene cannot be removed.
    public var isBuiltIn: Bool {
        self != .userDefined
    }
}

extension SceneContent: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case kind, actions
    }
}

extension HomeScene: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, content
    }
}

extension SceneKind: Codable {}
