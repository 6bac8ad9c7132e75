internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// The abstract base class of triggers, which run scenes at a time or when an event occurs.
///
/// Triggers run while `hap home run` runs for the home, or in this process with ``HomeKitSettings/runsTriggers``.
open class HMTrigger: NSObject, HomeKitObject, @unchecked Sendable {
    private let ownName: String
    private let ownIdentifier = UUID()
    private let attached: Mutex<ModelReference<Automation>?>
    /// Whether an app has passed the trigger to a home.
    private let isReserved = Mutex(false)

    init(name: String) {
        ownName = name
        attached = Mutex(nil)
        super.init()
    }

    init(_ modelReference: ModelReference<Automation>) {
        ownName = ""
        attached = Mutex(modelReference)
        super.init()
    }

    /// Creates the object for a stored automation.
    static func existing(_ modelReference: ModelReference<Automation>) -> HMTrigger {
        let isTimer = HMTimerTrigger.Timer(modelReference.model.rule) != nil
        return isTimer ? HMTimerTrigger(modelReference) : HMEventTrigger(modelReference)
    }

    /// The automation, or `nil` before the trigger is added to a home.
    var modelReference: ModelReference<Automation>? { attached.withLock(\.self) }
    var removableReference: (any RemovableReference)? { modelReference }

    /// Claims the trigger for a home; returns `false` if it was passed to one before.
    func reserve() -> Bool {
        isReserved.withLock { isReserved in
            defer { isReserved = true }
            return !isReserved
        }
    }

    func release() { isReserved.withLock { $0 = false } }

    func attach(to modelReference: ModelReference<Automation>) { attached.withLock { $0 = modelReference } }

    /// Returns the model's rule for this trigger.
    func rule(in home: Home) throws(HMError) -> AutomationRule<HomeIDs> {
        throw HMError(.invalidClass, "Only timer and event triggers can be added.")
    }

    /// Checks the rules that apply only to enabled triggers.
    class func checkBeforeEnabling(_ rule: AutomationRule<HomeIDs>, in home: Home) throws(HMError) {}

    /// The name, unique among the triggers of the home.
    open var name: String { modelReference?.model.name.text ?? ownName }

    /// The UUID, which does not change once the trigger is in a home.
    open var uniqueIdentifier: UUID {
        guard let modelReference else { return ownIdentifier }
        return UUID(Home.uuid(of: modelReference.model.id, in: modelReference.home))
    }

    /// Whether the trigger runs its scenes.
    open var isEnabled: Bool { modelReference?.model.isEnabled ?? false }

    /// The scenes that the trigger runs, and its own actions as a set of the type `HMActionSetTypeTriggerOwned`.
    open var actionSets: [HMActionSet] {
        guard let modelReference else { return [] }
        let targets = modelReference.model.targets
        let own =
            targets.ownActions.isEmpty
            ? nil : modelReference.context.ownActions(of: modelReference.model.id, of: modelReference.home)
        return targets.scenes.compactMap { modelReference.context.scene($0, of: modelReference.home) }
            + [own].compactMap(\.self)
    }

    /// Always `nil`: use `hap home journal`.
    @available(*, deprecated, message: "No longer supported.")
    open var lastFireDate: Date? { nil }

    // MARK: Changes

    /// Changes the stored rule; fails for a trigger that is in no home.
    ///
    /// - Parameter change: Changes the rule as it is stored when it is the turn of this change.
    func change(
        _ change: @escaping @Sendable (inout AutomationRule<HomeIDs>, Home) throws(HMError) -> Void
    ) -> PendingResult<Void> {
        guard let modelReference, let id = modelReference.current?.id else { return PendingResult(failure: .removed) }
        return modelReference.change { home throws(HMError) in
            guard var automation = home.automation(id) else { throw .removed }
            try change(&automation.rule, home)
            let changed = automation
            try HMError.wrapping { () throws(HomeError) in try home.replaceAutomation(with: changed) }
        }
    }

    /// Renames the trigger.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the trigger.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameAutomation(known.id, to: name)
        }
    }

    /// Enables or disables the trigger.
    ///
    /// Errors: `objectNotAssociatedToAnyHome` before the trigger is added to a home; `noRegisteredActionSets` without a
    /// scene, `noActionsInActionSet` if no scene has actions; `fireDateInPast`, `cannotActivateTriggerTooFarInFuture`.
    open func enable(_ enable: Bool, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        enabling(enable).report(to: completionHandler)
    }

    /// Enables or disables the trigger.
    open func enable(_ enable: Bool) async throws { try await enabling(enable).value }

    private func enabling(_ enable: Bool) -> PendingResult<Void> {
        let check = type(of: self).checkBeforeEnabling
        return change { rule, home throws(HMError) in
            if enable {
                let scenes = rule.targets.scenes.compactMap { home.scene($0) }
                if rule.targets.ownActions.isEmpty {
                    if scenes.isEmpty { throw HMError(.noRegisteredActionSets, "The trigger runs no scene.") }
                    if scenes.allSatisfy({ $0.actions.isEmpty }) {
                        throw HMError(.noActionsInActionSet, "The scenes of the trigger have no actions.")
                    }
                }
                try check(rule, home)
            }
            rule.isEnabled = enable
        }
    }

    /// Adds a scene that the trigger runs.
    ///
    /// Errors: `alreadyExists`, `objectAssociatedToAnotherHome`.
    open func addActionSet(_ actionSet: HMActionSet, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        adding(actionSet).report(to: completionHandler)
    }

    /// Adds a scene that the trigger runs.
    open func addActionSet(_ actionSet: HMActionSet) async throws { try await adding(actionSet).value }

    private func adding(_ actionSet: HMActionSet) -> PendingResult<Void> {
        with(actionSet) { scene in
            change { rule, _ throws(HMError) in
                guard !rule.targets.scenes.contains(scene) else {
                    throw HMError(.alreadyExists, "The trigger runs the scene already.")
                }
                rule.targets.scenes.append(scene)
            }
        }
    }

    /// Removes a scene from the trigger; removing the last one disables the trigger.
    open func removeActionSet(_ actionSet: HMActionSet, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(actionSet).report(to: completionHandler)
    }

    /// Removes a scene from the trigger; removing the last one disables the trigger.
    open func removeActionSet(_ actionSet: HMActionSet) async throws { try await removing(actionSet).value }

    private func removing(_ actionSet: HMActionSet) -> PendingResult<Void> {
        with(actionSet) { scene in
            change { rule, _ throws(HMError) in
                guard let index = rule.targets.scenes.firstIndex(of: scene) else {
                    throw HMError(.notFound, "The trigger does not run the scene.")
                }
                rule.targets.scenes.remove(at: index)
                if rule.targets.scenes.isEmpty, rule.targets.ownActions.isEmpty { rule.isEnabled = false }
            }
        }
    }

    private func with(_ actionSet: HMActionSet, _ start: (ObjectID<HomeScene>) -> PendingResult<Void>) -> PendingResult<
        Void
    > {
        do throws(HMError) {
            guard let modelReference, modelReference.current != nil,
                let home = modelReference.context.home(modelReference.home)
            else { throw .removed }
            return start(try actionSet.sceneID(in: home))
        } catch {
            return PendingResult(failure: error)
        }
    }
}
