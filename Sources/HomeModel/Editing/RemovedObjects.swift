/// What an edit takes out of a home and others may name.
struct RemovedObjects: Sendable, Hashable {
    /// The services.
    var services: Set<ObjectID<HomeService>> = []
    /// Characteristics that are gone from services that stay.
    var characteristics: Set<CharacteristicSelector> = []
    /// Actions that cannot be run any more, while their characteristics stay.
    var actions: Set<HomeAction> = []
    /// The scenes.
    var scenes: Set<ObjectID<HomeScene>> = []
    /// The users.
    var users: Set<ObjectID<HomeUser>> = []

    /// Whether a characteristic is gone, alone or with its service.
    func contains(_ selector: CharacteristicSelector) -> Bool {
        services.contains(selector.service) || characteristics.contains(selector)
    }

    /// Whether an action cannot be run any more.
    func affects(_ action: HomeAction) -> Bool {
        contains(action.characteristic) || actions.contains(action)
    }
}
