public import AccessoryModel

/// The services or the scene that a phrase refers to.
public struct PhraseMatch: Sendable, Hashable {
    /// The scene or the services of a match.
    public enum Target: Sendable, Hashable {
        /// A scene.
        case scene(ObjectID<HomeScene>)
        /// Visible services, at least one, in the home's order.
        case services([ObjectID<HomeService>])
    }

    /// The id of the home.
    public var home: ObjectID<Home>
    /// The scene or the services.
    public var target: Target
    /// The property in the phrase, which all matched services have, or `nil` for the primary characteristic of each.
    public var property: CharacteristicType?
    /// Whether the phrase matches services by their own name or type, and not only by a room, a group or an accessory.
    public var isMatchedByName = false
}
