public import AccessoryModel

/// What people mean with a phrase.
public struct PhraseMatch: Sendable, Hashable {
    /// What is meant.
    public enum Target: Sendable, Hashable {
        /// A scene.
        case scene(ObjectID<HomeScene>)
        /// Services that people see, in the home's order; at least one.
        case services([ObjectID<HomeService>])
    }

    /// The home that it is in.
    public var home: ObjectID<Home>
    /// What is meant.
    public var target: Target
    /// The property of the services that is meant, which every one of them has; `nil` when none is named: then it is the
    /// primary characteristic of each.
    public var property: CharacteristicType?
    /// Whether services are meant by their own name or their type, not by where they are or by what they are part of.
    public var isMatchedByName = false
}
