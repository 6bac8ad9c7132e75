/// What an edit takes out of a home and others may name.
struct RemovedObjects: Sendable, Hashable {
    /// The services.
    var services: Set<ObjectID<HomeService>> = []
    /// Characteristics that are gone from services that stay.
    var characteristics: Set<CharacteristicSelector> = []
    /// The scenes.
    var scenes: Set<ObjectID<HomeScene>> = []
    /// The users.
    var users: Set<ObjectID<HomeUser>> = []

    /// Whether a characteristic is gone, alone or with its service.
    func contains(_ selector: CharacteristicSelector) -> Bool {
        services.contains(selector.service) || characteristics.contains(selector)
    }
}
