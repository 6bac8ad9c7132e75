internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// The objects of one manager: one for each part of its homes.
///
/// An object retains its context, and so the core, even after the manager was deallocated.
final class ManagerContext: Sendable {
    let core: HomeKitCore
    private let state = Mutex(State())

    private struct State: Sendable {
        weak var manager: HMHomeManager?
        private var objects: [Key: Entry] = [:]
        var isLoaded = false
        /// Whether the manager was deallocated, so that only the app retains objects.
        var isDetached = false

        subscript(_ key: Key) -> (any HomeKitObject)? {
            get { objects[key]?.object }
            set { objects[key] = newValue.map { Entry(object: $0, kept: isDetached ? nil : $0) } }
        }

        var all: [(Key, any HomeKitObject)] {
            objects.compactMap { entry in entry.value.object.map { (entry.key, $0) } }
        }

        /// Stops retaining the objects, to break the retain cycle between them and the context.
        mutating func detach() {
            isDetached = true
            for key in objects.keys { objects[key]?.kept = nil }
        }
    }

    private struct Entry: Sendable {
        weak var object: (any HomeKitObject)?
        /// A strong reference: apps set delegates of objects that they do not retain.
        var kept: (any HomeKitObject)?
    }

    private enum Key: Hashable, Sendable {
        case home(ObjectID<Home>)
        case part(ObjectID<Home>, ObjectChange.Object)
        case service(ObjectID<HomeService>)
        case characteristic(CharacteristicSelector)
        case action(ActionSetID, CharacteristicSelector)
        case ownActions(ObjectID<Automation>)
        case implicitOwner(ObjectID<Home>)
    }

    init(_ core: HomeKitCore) {
        self.core = core
    }

    func attach(_ manager: HMHomeManager) {
        state.withLock { $0.manager = manager }
        core.register(self)
    }

    func detach() {
        // Releases the objects outside of the lock: the last one may deallocate the context.
        let kept = state.withLock { state in
            defer { state.detach() }
            return state.all
        }
        withExtendedLifetime(kept) {}
    }

    var manager: HMHomeManager? { state.withLock(\.manager) }
    /// Whether the homes are visible and the delegate was notified of them.
    var isLoaded: Bool { state.withLock(\.isLoaded) }

    /// Shows the homes; call it on the main queue.
    func didLoad() {
        let isFirst = state.withLock { state in
            defer { state.isLoaded = true }
            return !state.isLoaded
        }
        if isFirst { manager?.didLoad() }
    }

    // MARK: Objects

    private func object<Model: Sendable, Object: HomeKitObject>(
        _ key: Key,
        of home: ObjectID<Home>,
        find: @escaping @Sendable (HomeSnapshot) -> Model?,
        make: (ModelReference<Model>) -> Object
    ) -> Object? {
        if let known = state.withLock({ $0[key] }) { return known as? Object }
        guard let model = core.snapshot(of: home).flatMap(find) else { return nil }
        let object = make(ModelReference(model, of: home, in: self, find: find))
        return state.withLock { state in
            // Another thread may have been faster.
            let object = state[key] ?? object
            state[key] = object
            return object as? Object
        }
    }

    func home(_ id: ObjectID<Home>) -> HMHome? {
        object(.home(id), of: id, find: { $0.home }, make: HMHome.init)
    }

    func room(_ id: ObjectID<Room>, of home: ObjectID<Home>) -> HMRoom? {
        object(.part(home, .room(id)), of: home, find: { $0.index.room(id) }, make: HMRoom.init)
    }

    func zone(_ id: ObjectID<Zone>, of home: ObjectID<Home>) -> HMZone? {
        object(
            .part(home, .zone(id)),
            of: home,
            find: { snapshot in snapshot.home.zones.first { $0.id == id } },
            make: HMZone.init
        )
    }

    func group(_ id: ObjectID<ServiceGroup>, of home: ObjectID<Home>) -> HMServiceGroup? {
        object(
            .part(home, .group(id)),
            of: home,
            find: { snapshot in snapshot.home.serviceGroups.first { $0.id == id } },
            make: HMServiceGroup.init
        )
    }

    func accessory(_ id: ObjectID<HomeAccessory>, of home: ObjectID<Home>) -> HMAccessory? {
        object(.part(home, .accessory(id)), of: home, find: { $0.index.accessory(id) }, make: HMAccessory.init)
    }

    func service(_ id: ObjectID<HomeService>, of home: ObjectID<Home>) -> HMService? {
        object(.service(id), of: home, find: { $0.index.service(id) }, make: HMService.init)
    }

    func characteristic(_ selector: CharacteristicSelector, of home: ObjectID<Home>) -> HMCharacteristic? {
        object(.characteristic(selector), of: home) { snapshot in
            snapshot.index.characteristic(selector).map { CharacteristicModel(selector: selector, base: $0) }
        } make: {
            HMCharacteristic($0)
        }
    }

    func scene(_ id: ObjectID<HomeScene>, of home: ObjectID<Home>) -> HMActionSet? {
        object(
            .part(home, .scene(id)),
            of: home,
            find: { $0.index.scene(id).map(ActionSetModel.scene) },
            make: HMActionSet.init
        )
    }

    /// The actions of an automation that are not those of a scene.
    func ownActions(of id: ObjectID<Automation>, of home: ObjectID<Home>) -> HMActionSet? {
        object(
            .ownActions(id),
            of: home,
            find: { $0.index.automation(id).map(ActionSetModel.ownActions) },
            make: HMActionSet.init
        )
    }

    func trigger(_ id: ObjectID<Automation>, of home: ObjectID<Home>) -> HMTrigger? {
        object(.part(home, .trigger(id)), of: home, find: { $0.index.automation(id) }, make: HMTrigger.existing)
    }

    func user(_ id: ObjectID<HomeUser>, of home: ObjectID<Home>) -> HMUser? {
        object(.part(home, .user(id)), of: home, find: { $0.index.user(id) }, make: HMUser.init)
    }

    /// The owner of a home without users.
    func implicitOwner(of home: ObjectID<Home>) -> HMUser {
        state.withLock { state in
            let object = state[.implicitOwner(home)] as? HMUser ?? HMUser(implicitOwnerOf: home)
            state[.implicitOwner(home)] = object
            return object
        }
    }

    /// Returns the object of an action, or creates it; `nil` if the action set does not have the action.
    ///
    /// - Parameter new: The object that an app has created for it.
    func action(
        on selector: CharacteristicSelector,
        of set: HMActionSet,
        in home: ObjectID<Home>,
        as new: HMAction? = nil
    ) -> HMAction? {
        guard let id = set.modelReference?.model.id, let characteristic = characteristic(selector, of: home) else {
            return nil
        }
        return object(.action(id, selector), of: home) { snapshot in
            id.actions(in: snapshot)?.first { $0.characteristic == selector }
        } make: { reference in
            let value = reference.model.value.copying
            let action = new ?? HMCharacteristicWriteAction(characteristic: characteristic, targetValue: value)
            action.attach(to: set, as: reference)
            return action
        }
    }

    /// Attaches a trigger that the app created to its new automation.
    func register(_ trigger: HMTrigger, as id: ObjectID<Automation>, of home: ObjectID<Home>) -> ModelReference<
        Automation
    >? {
        let find: @Sendable (HomeSnapshot) -> Automation? = { $0.index.automation(id) }
        guard let model = core.snapshot(of: home).flatMap(find) else { return nil }
        state.withLock { $0[.part(home, .trigger(id))] = trigger }
        return ModelReference(model, of: home, in: self, find: find)
    }

    /// Saves the last state of removed objects and stops tracking them.
    func keepRemoved(from old: [ObjectID<Home>: HomeSnapshot], to new: [ObjectID<Home>: HomeSnapshot]) {
        let objects = state.withLock(\.all)
        var gone: [Key] = []
        for (key, object) in objects {
            guard let modelReference = object.removableReference, old[modelReference.home] !== new[modelReference.home],
                let before = old[modelReference.home], modelReference.isRemoved(in: new[modelReference.home])
            else { continue }
            object.willBeRemoved()
            modelReference.keepLast(of: before)
            gone.append(key)
        }
        guard !gone.isEmpty else { return }
        state.withLock { state in
            for key in gone { state[key] = nil }
        }
    }
}

/// An object that shows a part of a home.
protocol HomeKitObject: AnyObject, Sendable {
    /// The part that the object shows, or `nil` if an app has made the object without one.
    var removableReference: (any RemovableReference)? { get }

    /// Called before the part is removed, so that the object can keep what belongs to it.
    func willBeRemoved()
}

extension HomeKitObject {
    func willBeRemoved() {}
}
