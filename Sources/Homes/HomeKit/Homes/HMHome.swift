// Long because: Apple's class has all of this.

internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

/// A home: a house, an office or another place with its accessories, rooms and scenes.
open class HMHome: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<Home>?
    private let delegateReference = WeakDelegate<any HMHomeDelegate>()

    init(_ modelReference: ModelReference<Home>) {
        self.modelReference = modelReference
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The delegate, which is called on the main queue.
    open var delegate: (any HMHomeDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.delegate = newValue }
    }

    /// The name, unique among the homes.
    open var name: String { modelReference?.model.name.text ?? "" }
    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID { UUID(modelReference.map { Home.uuid(ofHome: $0.home) }) }
    /// Whether this is the primary home.
    open var isPrimary: Bool {
        modelReference.map { modelReference in
            modelReference.context.core.state.withLock { $0.homes.primary == modelReference.home }
        } ?? false
    }
    /// `connected` while a process runs the triggers of the home: this one, or `hap home run`.
    open var homeHubState: HMHomeHubState {
        guard let modelReference else { return .notAvailable }
        let hubs = modelReference.context.core.state.withLock(\.hubs)
        return hubs.contains(modelReference.home) ? .connected : .notAvailable
    }

    // MARK: Contents

    private func objects<Part, Object>(
        _ parts: KeyPath<Home, [Part]>,
        _ object: (ManagerContext, Part, ObjectID<Home>) -> Object?
    ) -> [Object] {
        guard let modelReference else { return [] }
        return modelReference.model[keyPath: parts]
            .compactMap { object(modelReference.context, $0, modelReference.home) }
    }

    /// The accessories, in the order in which they were added.
    open var accessories: [HMAccessory] { objects(\.accessories) { $0.accessory($1.id, of: $2) } }
    /// The rooms, without the one for the entire home.
    open var rooms: [HMRoom] { objects(\.rooms) { $0.room($1.id, of: $2) } }
    /// The zones.
    open var zones: [HMZone] { objects(\.zones) { $0.zone($1.id, of: $2) } }
    /// The groups of services.
    open var serviceGroups: [HMServiceGroup] { objects(\.serviceGroups) { $0.group($1.id, of: $2) } }
    /// The scenes: the four built-in ones, and those that users have added.
    open var actionSets: [HMActionSet] { objects(\.scenes) { $0.scene($1.id, of: $2) } }
    /// The triggers.
    open var triggers: [HMTrigger] { objects(\.automations) { $0.trigger($1.id, of: $2) } }

    /// Returns the room of accessories that are in no other room; it is not among ``rooms``.
    open func roomForEntireHome() -> HMRoom {
        guard let modelReference, let room = modelReference.context.room(.entireHome, of: modelReference.home) else {
            return HMRoom()
        }
        return room
    }

    /// Returns the services that have one of the types, or `nil` if no service matches.
    open func servicesWithTypes(_ serviceTypes: [String]) -> [HMService]? {
        let wanted = Set(serviceTypes.map { $0.uppercased() })
        let services = accessories.flatMap(\.services).filter { wanted.contains($0.serviceType) }
        return services.isEmpty ? nil : services
    }

    /// Returns the built-in scene of a type, or `nil` if no built-in scene has it.
    open func builtinActionSet(ofType actionSetType: String) -> HMActionSet? {
        guard actionSetType != HMActionSetTypeUserDefined else { return nil }
        return actionSets.first { $0.actionSetType == actionSetType }
    }

    /// The owner of the home.
    open var currentUser: HMUser {
        guard let modelReference, let owner = modelReference.model.users.first(where: { $0.role == .owner }),
            let user = modelReference.context.user(owner.id, of: modelReference.home)
        else {
            return modelReference?.context.implicitOwner(of: modelReference?.home ?? ObjectID(0))
                ?? HMUser(implicitOwnerOf: ObjectID(0))
        }
        return user
    }

    /// Returns the rights of a user.
    open func homeAccessControl(for user: HMUser) -> HMHomeAccessControl { HMHomeAccessControl(user) }

    /// Always `false`.
    open var supportsAddingNetworkRouter: Bool { false }
    /// Always empty: Matter is not supported.
    open var matterControllerID: String { "" }

    // MARK: Helpers

    func edit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Home) throws(HomeError) -> Result
    ) -> PendingResult<Void> {
        modelReference?.edit(change) ?? PendingResult(failure: .removed)
    }

    /// Adds a named part, and returns its object.
    private func adding<Part, Object: Sendable>(
        _ name: String,
        _ add: @escaping @Sendable (inout Home, ObjectName) throws(HomeError) -> ObjectID<Part>,
        object: @escaping @Sendable (ManagerContext, ObjectID<Part>, ObjectID<Home>) -> Object?
    ) -> PendingResult<Object> {
        guard let modelReference else { return PendingResult(failure: .removed) }
        return withName(name) { name in
            modelReference.edit { home throws(HomeError) in
                try add(&home, name)
            } returning: { [modelReference] id in
                object(modelReference.context, id, modelReference.home)
            }
        }
    }

    /// Returns the id of a part, if it is of this home.
    func id<Model>(of modelReference: ModelReference<Model>?, _ id: KeyPath<Model, ObjectID<Model>>) throws(HMError)
        -> ObjectID<
            Model
        >
    {
        guard let modelReference, let current = modelReference.current else { throw .removed }
        guard modelReference.home == self.modelReference?.home else { throw .otherHome }
        return current[keyPath: id]
    }

    /// Starts an operation on a part of this home.
    func with<Model, Value: Sendable>(
        _ modelReference: ModelReference<Model>?,
        _ id: KeyPath<Model, ObjectID<Model>>,
        _ start: (ObjectID<Model>) -> PendingResult<Value>
    ) -> PendingResult<Value> {
        do throws(HMError) {
            return start(try self.id(of: modelReference, id))
        } catch {
            return PendingResult(failure: error)
        }
    }

    // MARK: Name

    /// Renames the home.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the home.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        guard let modelReference, let current = modelReference.current else { return PendingResult(failure: .removed) }
        return newName(name, insteadOf: current.name) { name in
            let id = modelReference.home
            return modelReference.context.core.editModel(duplicateName: .homeWithSimilarNameExists) {
                homes throws(HomeError) in try homes.renameHome(id, to: name)
            }
        }
    }

    // MARK: Rooms

    /// Adds a room.
    open func addRoom(withName name: String, completionHandler: @escaping @Sendable (HMRoom?, (any Error)?) -> Void) {
        addingRoom(name).report(to: completionHandler)
    }

    /// Adds a room.
    open func addRoom(named name: String) async throws -> HMRoom { try await addingRoom(name).value }

    private func addingRoom(_ name: String) -> PendingResult<HMRoom> {
        adding(name) { home, name throws(HomeError) in
            try home.addRoom(named: name)
        } object: {
            $0.room($1, of: $2)
        }
    }

    /// Removes a room and moves its accessories to the room for the entire home.
    open func removeRoom(_ room: HMRoom, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(room).report(to: completionHandler)
    }

    /// Removes a room and moves its accessories to the room for the entire home.
    open func removeRoom(_ room: HMRoom) async throws { try await removing(room).value }

    private func removing(_ room: HMRoom) -> PendingResult<Void> {
        with(room.modelReference, \.id) { id in edit { home throws(HomeError) in try home.removeRoom(id) } }
    }

    /// Moves an accessory to a room.
    open func assignAccessory(
        _ accessory: HMAccessory,
        to room: HMRoom,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        assigning(accessory, to: room).report(to: completionHandler)
    }

    /// Moves an accessory to a room.
    open func assignAccessory(_ accessory: HMAccessory, to room: HMRoom) async throws {
        try await assigning(accessory, to: room).value
    }

    private func assigning(_ accessory: HMAccessory, to room: HMRoom) -> PendingResult<Void> {
        with(accessory.modelReference, \.id) { accessory in
            with(room.modelReference, \.id) { room in
                edit { home throws(HomeError) in try home.moveAccessory(accessory, to: room) }
            }
        }
    }

    // MARK: Zones

    /// Adds a zone without rooms.
    open func addZone(withName name: String, completionHandler: @escaping @Sendable (HMZone?, (any Error)?) -> Void) {
        addingZone(name).report(to: completionHandler)
    }

    /// Adds a zone without rooms.
    open func addZone(named name: String) async throws -> HMZone { try await addingZone(name).value }

    private func addingZone(_ name: String) -> PendingResult<HMZone> {
        adding(name) { home, name throws(HomeError) in
            try home.addZone(named: name)
        } object: {
            $0.zone($1, of: $2)
        }
    }

    /// Removes a zone; its rooms stay.
    open func removeZone(_ zone: HMZone, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(zone).report(to: completionHandler)
    }

    /// Removes a zone; its rooms stay.
    open func removeZone(_ zone: HMZone) async throws { try await removing(zone).value }

    private func removing(_ zone: HMZone) -> PendingResult<Void> {
        with(zone.modelReference, \.id) { id in edit { home throws(HomeError) in try home.removeZone(id) } }
    }

    // MARK: Groups

    /// Adds a group without services.
    open func addServiceGroup(
        withName name: String,
        completionHandler: @escaping @Sendable (HMServiceGroup?, (any Error)?) -> Void
    ) {
        addingGroup(name).report(to: completionHandler)
    }

    /// Adds a group without services.
    open func addServiceGroup(named name: String) async throws -> HMServiceGroup { try await addingGroup(name).value }

    private func addingGroup(_ name: String) -> PendingResult<HMServiceGroup> {
        adding(name) { home, name throws(HomeError) in
            try home.addServiceGroup(named: name)
        } object: {
            $0.group($1, of: $2)
        }
    }

    /// Removes a group; its services stay.
    open func removeServiceGroup(_ group: HMServiceGroup, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    {
        removing(group).report(to: completionHandler)
    }

    /// Removes a group; its services stay.
    open func removeServiceGroup(_ group: HMServiceGroup) async throws { try await removing(group).value }

    private func removing(_ group: HMServiceGroup) -> PendingResult<Void> {
        with(group.modelReference, \.id) { id in edit { home throws(HomeError) in try home.removeServiceGroup(id) } }
    }

    // MARK: Scenes

    /// Adds a scene without actions.
    open func addActionSet(
        withName name: String,
        completionHandler: @escaping @Sendable (HMActionSet?, (any Error)?) -> Void
    ) {
        addingScene(name).report(to: completionHandler)
    }

    /// Adds a scene without actions.
    open func addActionSet(named name: String) async throws -> HMActionSet { try await addingScene(name).value }

    private func addingScene(_ name: String) -> PendingResult<HMActionSet> {
        adding(name) { home, name throws(HomeError) in
            try home.addScene(named: name)
        } object: {
            $0.scene($1, of: $2)
        }
    }

    /// Removes a scene from the home and from its triggers; built-in scenes cannot be removed.
    ///
    /// Errors: `cannotRemoveBuiltinActionSet`.
    open func removeActionSet(_ actionSet: HMActionSet, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(actionSet).report(to: completionHandler)
    }

    /// Removes a scene from the home and from its triggers; built-in scenes cannot be removed.
    open func removeActionSet(_ actionSet: HMActionSet) async throws { try await removing(actionSet).value }

    private func removing(_ actionSet: HMActionSet) -> PendingResult<Void> {
        do throws(HMError) {
            let id = try actionSet.sceneID(in: self)
            return edit { home throws(HomeError) in try home.removeScene(id) }
        } catch {
            return PendingResult(failure: error)
        }
    }

    /// Runs the actions of a scene.
    ///
    /// Errors: `noActionsInActionSet`, `actionSetExecutionInProgress`; `actionSetExecutionFailed` if all actions have
    /// failed, `actionSetExecutionPartialSuccess` if some have.
    open func executeActionSet(_ actionSet: HMActionSet, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    {
        executing(actionSet).report(to: completionHandler)
    }

    /// Runs the actions of a scene.
    open func executeActionSet(_ actionSet: HMActionSet) async throws { try await executing(actionSet).value }

    private func executing(_ actionSet: HMActionSet) -> PendingResult<Void> {
        do throws(HMError) {
            let id = try actionSet.sceneID(in: self)
            guard let modelReference, let snapshot = modelReference.snapshot, let scene = snapshot.index.scene(id)
            else {
                throw .removed
            }
            guard !scene.actions.isEmpty else {
                throw HMError(.noActionsInActionSet, "\(scene.name) has no actions.")
            }
            return modelReference.context.core.execute(scene, of: snapshot)
        } catch {
            return PendingResult(failure: error)
        }
    }

    // MARK: Triggers

    /// Adds a trigger, which is disabled at first.
    ///
    /// Errors: those of its name, dates, events and predicate; `operationNotSupported` for the events and parameters that
    /// <doc:Coverage> lists.
    open func addTrigger(_ trigger: HMTrigger, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(trigger).report(to: completionHandler)
    }

    /// Adds a trigger, which is disabled at first.
    open func addTrigger(_ trigger: HMTrigger) async throws { try await adding(trigger).value }

    private func adding(_ trigger: HMTrigger) -> PendingResult<Void> {
        do throws(HMError) {
            guard let modelReference, let current = modelReference.current else { throw .removed }
            if let known = trigger.modelReference {
                throw known.current == nil ? .removed : known.home == modelReference.home ? .alreadyHere : .otherHome
            }
            let rule = try trigger.rule(in: current)
            guard trigger.reserve() else { throw .alreadyHere }
            let adding: PendingResult<Void> = withName(trigger.name) { name in
                modelReference.edit { home throws(HomeError) in
                    try home.addAutomation { id in Automation(id: id, name: name, rule: rule) }
                } returning: { id in
                    guard let new = modelReference.context.register(trigger, as: id, of: modelReference.home) else {
                        return nil
                    }
                    trigger.attach(to: new)
                    return ()
                }
            }
            adding.then { outcome in if case .failure = outcome { trigger.release() } }
            return adding
        } catch {
            return PendingResult(failure: error)
        }
    }

    /// Removes a trigger.
    open func removeTrigger(_ trigger: HMTrigger, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(trigger).report(to: completionHandler)
    }

    /// Removes a trigger.
    open func removeTrigger(_ trigger: HMTrigger) async throws { try await removing(trigger).value }

    private func removing(_ trigger: HMTrigger) -> PendingResult<Void> {
        with(trigger.modelReference, \.id) { id in edit { home throws(HomeError) in try home.removeAutomation(id) } }
    }

    // MARK: Adding and removing accessories

    /// Asks ``HomeKitSettings/setupAnswer`` for an accessory and its code, pairs with it, and adds it.
    ///
    /// Errors: `operationNotSupported` if `setupAnswer` is not set, `operationCancelled` if it returns `nil`; those of
    /// pairing.
    open func addAndSetupAccessories(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(payload: nil).report(to: { (_: [HMAccessory]?, error: (any Error)?) in completionHandler(error) })
    }

    /// Asks ``HomeKitSettings/setupAnswer`` for an accessory and its code, pairs with it, and adds it.
    open func addAndSetUpAccessories() async throws { _ = try await adding(payload: nil).value }

    /// Pairs with the accessory of a payload, and adds it.
    open func addAndSetupAccessories(
        with payload: HMAccessorySetupPayload,
        completionHandler: @escaping @Sendable ([HMAccessory]?, (any Error)?) -> Void
    ) {
        adding(payload: payload).report(to: completionHandler)
    }

    /// Pairs with the accessory of a payload, and adds it.
    open func addAndSetUpAccessories(payload: HMAccessorySetupPayload) async throws -> [HMAccessory] {
        try await adding(payload: payload).value
    }

    private func adding(payload: HMAccessorySetupPayload?) -> PendingResult<[HMAccessory]> {
        guard let modelReference, modelReference.current != nil else { return PendingResult(failure: .removed) }
        let setup = AccessorySetup(
            payload: payload?.payload,
            home: uniqueIdentifier,
            room: nil,
            name: nil,
            accessory: nil
        )
        return modelReference.context.add(setup) { $1 }
    }

    /// Pairs with an accessory that a browser has found, and adds it.
    ///
    /// ``HomeKitSettings/setupAnswer`` is asked for the code.
    open func addAccessory(_ accessory: HMAccessory, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(accessory).report(to: completionHandler)
    }

    /// Pairs with an accessory that a browser has found, and adds it.
    open func addAccessory(_ accessory: HMAccessory) async throws { try await adding(accessory).value }

    private func adding(_ accessory: HMAccessory) -> PendingResult<Void> {
        guard let modelReference, modelReference.current != nil else { return PendingResult(failure: .removed) }
        guard let discovered = accessory.discovered else {
            let isInHome = accessory.modelReference?.current != nil
            let isHere = accessory.modelReference?.home == modelReference.home
            return PendingResult(failure: isInHome ? isHere ? .alreadyHere : .otherHome : .removed)
        }
        let setup = AccessorySetup(payload: nil, home: uniqueIdentifier, room: nil, name: nil, accessory: discovered)
        return modelReference.context.add(setup) { _, _ in () }
    }

    /// Removes an accessory, with those behind it, and its pairing.
    ///
    /// A pairing with an accessory that cannot be reached is forgotten; that accessory must be reset before it can be added
    /// again. Errors: `cannotRemoveNonBridgeAccessory` for an accessory behind a bridge.
    open func removeAccessory(_ accessory: HMAccessory, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(accessory).report(to: completionHandler)
    }

    /// Removes an accessory, with those behind it, and its pairing.
    open func removeAccessory(_ accessory: HMAccessory) async throws { try await removing(accessory).value }

    private func removing(_ accessory: HMAccessory) -> PendingResult<Void> {
        with(accessory.modelReference, \.id) { id in
            guard let modelReference, let current = accessory.modelReference?.current else {
                return PendingResult(failure: .removed)
            }
            guard current.bridge == nil else {
                let text = "An accessory behind a bridge cannot be removed alone. Remove its bridge."
                return PendingResult(failure: HMError(.cannotRemoveNonBridgeAccessory, text))
            }
            let home = modelReference.home
            let servers = Set([current.reference?.server].compactMap(\.self))
            return modelReference.context.core.unpair(servers, of: home) { homes throws(HomeError) in
                try homes.edit(home) { home throws(HomeError) in _ = try home.removeAccessory(id) }
                return servers
            }
        }
    }

    /// Always fails with `operationNotSupported`: accessories are not blocked.
    open func unblockAccessory(
        _ accessory: HMAccessory,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        PendingResult<Void>(failure: .unsupported("Accessories are not blocked on Linux."))
            .report(to: completionHandler)
    }

    /// Always fails with `operationNotSupported`: accessories are not blocked.
    open func unblockAccessory(_ accessory: HMAccessory) async throws {
        throw HMError.unsupported("Accessories are not blocked on Linux.")
    }

    // MARK: Users

    /// Always fails with `operationNotSupported`, because it shows a sheet; use `hap home add user`.
    open func manageUsers(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        PendingResult<Void>(failure: .unsupported("Linux has no sheet for users. Use hap home add user."))
            .report(to: completionHandler)
    }

    /// Always fails with `operationNotSupported`, because it shows a sheet; use `hap home add user`.
    open func manageUsers() async throws {
        throw HMError.unsupported("Linux has no sheet for users. Use hap home add user.")
    }
}

extension UUID {
    /// Creates Foundation's form of a UUID; a random one if there is none.
    init(_ uuid: HAPUUID?) {
        self = uuid.flatMap { UUID(uuidString: $0.description) } ?? UUID()
    }
}
