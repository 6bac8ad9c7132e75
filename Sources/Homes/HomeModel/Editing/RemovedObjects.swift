/// The objects that an edit removes and that other objects may refer to.
struct RemovedObjects: Sendable, Hashable {
    /// The services.
    var services: Set<ObjectID<HomeService>> = []
    /// The characteristics that were removed from remaining services.
    var characteristics: Set<CharacteristicSelector> = []
    /// The actions that are no longer valid, although their characteristics remain.
    var actions: Set<HomeAction> = []
    /// The scenes.
    var scenes: Set<ObjectID<HomeScene>> = []
    /// The users.
    var users: Set<ObjectID<HomeUser>> = []

    /// Returns whether a characteristic was removed, alone or with its service.
    func contains(_ selector: CharacteristicSelector) -> Bool {
        services.contains(selector.service) || characteristics.contains(selector)
    }

    /// Returns whether an action is no longer valid.
    func affects(_ action: HomeAction) -> Bool {
        contains(action.characteristic) || actions.contains(action)
    }
}
