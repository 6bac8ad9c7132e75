internal import HAPCore
internal import HomeModel
internal import Synchronization

/// The model of an action set: a scene, or the actions that an automation runs besides its scenes.
enum ActionSetModel: Sendable {
    case scene(HomeScene)
    case ownActions(Automation)

    var name: ObjectName {
        switch self {
        case .scene(let scene): scene.name
        case .ownActions(let automation): automation.name
        }
    }

    /// The scene, or `nil` for the actions of an automation.
    var scene: HomeScene? {
        if case .scene(let scene) = self { scene } else { nil }
    }

    var id: ActionSetID {
        switch self {
        case .scene(let scene): .scene(scene.id)
        case .ownActions(let automation): .automation(automation.id)
        }
    }

    var actions: [HomeAction] {
        switch self {
        case .scene(let scene): scene.actions
        case .ownActions(let automation): automation.targets.ownActions
        }
    }
}

/// The id of what has actions.
enum ActionSetID: Hashable, Sendable {
    case scene(ObjectID<HomeScene>)
    case automation(ObjectID<Automation>)

    /// Returns the actions in a home, or `nil` if it does not have them.
    func actions(in snapshot: HomeSnapshot) -> [HomeAction]? {
        switch self {
        case .scene(let id): snapshot.index.scene(id)?.actions
        case .automation(let id): snapshot.index.automation(id)?.targets.ownActions
        }
    }

    /// Returns the UUID of the action that sets a characteristic.
    func uuid(ofActionOn selector: CharacteristicSelector, in home: ObjectID<Home>) -> HAPUUID {
        switch self {
        case .scene(let id): Home.uuid(ofActionOn: selector, of: id, in: home)
        case .automation(let id): Home.uuid(ofActionOn: selector, of: id, in: home)
        }
    }
}

/// A scene, such as "movie time", or the actions of a trigger that are in no scene.
open class HMActionSet: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<ActionSetModel>?

    init(_ modelReference: ModelReference<ActionSetModel>) {
        self.modelReference = modelReference
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    private var scene: HomeScene? { modelReference?.model.scene }

    /// The name, unique among the scenes of the home.
    open var name: String { modelReference?.model.name.text ?? "" }

    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID {
        guard let modelReference else { return UUID() }
        switch modelReference.model {
        case .scene(let scene): return UUID(Home.uuid(of: scene.id, in: modelReference.home))
        case .ownActions(let automation): return UUID(Home.uuid(ofActionsOf: automation.id, in: modelReference.home))
        }
    }

    /// The actions, in no order.
    open var actions: Set<HMAction> {
        guard let modelReference else { return [] }
        return Set(
            modelReference.model.actions.compactMap { action in
                modelReference.context.action(on: action.characteristic, of: self, in: modelReference.home)
            }
        )
    }

    /// Whether this process is running the scene.
    open var isExecuting: Bool {
        guard let modelReference, let scene else { return false }
        return modelReference.context.core.state.withLock { $0.executing.contains(scene.id) }
    }

    /// One of the constants `HMActionSetType…`.
    open var actionSetType: String {
        switch scene?.kind {
        case .wakeUp: HMActionSetTypeWakeUp
        case .sleep: HMActionSetTypeSleep
        case .homeDeparture: HMActionSetTypeHomeDeparture
        case .homeArrival: HMActionSetTypeHomeArrival
        case .userDefined: HMActionSetTypeUserDefined
        case nil: HMActionSetTypeTriggerOwned
        }
    }

    /// When this process has last run the scene; `nil` if it has not.
    open var lastExecutionDate: Date? {
        guard let modelReference, let scene else { return nil }
        return modelReference.context.core.state.withLock { $0.lastExecutions[scene.id] }
    }

    /// Returns the id of the scene, if it is one of a home.
    func sceneID(in home: HMHome) throws(HMError) -> ObjectID<HomeScene> {
        guard let modelReference, let current = modelReference.current else { throw .removed }
        guard modelReference.home == home.modelReference?.home else { throw .otherHome }
        guard case .scene(let scene) = current else {
            throw .invalid("These actions belong to a trigger, so they cannot be run, changed or added as a scene.")
        }
        return scene.id
    }

    // MARK: Name

    /// Renames the scene.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the scene.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        withScene { modelReference, scene in
            newName(name, insteadOf: scene.name) { name in
                modelReference.edit { home throws(HomeError) in try home.renameScene(scene.id, to: name) }
            }
        }
    }

    private func withScene(
        _ start: (ModelReference<ActionSetModel>, HomeScene) throws(HMError) -> PendingResult<Void>
    ) -> PendingResult<Void> {
        do throws(HMError) {
            guard let modelReference, let current = modelReference.current else { throw .removed }
            guard case .scene(let scene) = current else {
                throw .invalid("These actions belong to a trigger, and cannot be changed.")
            }
            return try start(modelReference, scene)
        } catch {
            return PendingResult(failure: error)
        }
    }

    // MARK: Actions

    /// Adds an action.
    ///
    /// Errors: `alreadyExists` if the scene sets the characteristic, `actionInAnotherActionSet`,
    /// `objectAssociatedToAnotherHome`, and those of a value that the characteristic does not take.
    open func addAction(_ action: HMAction, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(action).report(to: completionHandler)
    }

    /// Adds an action.
    open func addAction(_ action: HMAction) async throws { try await adding(action).value }

    private func adding(_ action: HMAction) -> PendingResult<Void> {
        withScene { modelReference, scene throws(HMError) in
            let new = try action.homeAction(in: modelReference.home)
            // Reserves the object, which the app may pass to another scene before it is the turn of this change.
            guard action.reserve(for: self) else {
                throw HMError(
                    action.actionSet === self ? .alreadyExists : .actionInAnotherActionSet,
                    "The action is in \(action.actionSet?.name ?? "another scene")."
                )
            }
            let adding = modelReference.edit { home throws(HomeError) in
                try home.addAction(new, to: scene.id)
            } returning: { [self] in
                modelReference.context.action(on: new.characteristic, of: self, in: modelReference.home, as: action)
                    .map { _ in () }
            }
            adding.then { outcome in if case .failure = outcome { action.willBeRemoved() } }
            return adding
        }
    }

    /// Removes an action.
    open func removeAction(_ action: HMAction, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(action).report(to: completionHandler)
    }

    /// Removes an action.
    open func removeAction(_ action: HMAction) async throws { try await removing(action).value }

    private func removing(_ action: HMAction) -> PendingResult<Void> {
        withScene { modelReference, scene throws(HMError) in
            guard action.actionSet === self, let selector = action.selector,
                scene.actions.contains(where: { $0.characteristic == selector })
            else { throw HMError(.notFound, "The scene does not have the action.") }
            return modelReference.edit { home throws(HomeError) in try home.removeAction(of: selector, from: scene.id) }
        }
    }
}
