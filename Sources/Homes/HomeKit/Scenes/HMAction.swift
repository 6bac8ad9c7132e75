internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// An action of a scene; only ``HMCharacteristicWriteAction`` exists.
open class HMAction: NSObject, HomeKitObject, @unchecked Sendable {
    private let ownIdentifier = UUID()
    private let owner = Mutex(Owner())

    private struct Owner: Sendable {
        weak var actionSet: HMActionSet?
        var reference: ModelReference<HomeAction>?
    }

    /// Creates an action that does nothing, for a subclass in a test.
    @available(*, deprecated, message: "Create an HMCharacteristicWriteAction.")
    public override init() { super.init() }

    /// The deprecated initializer, without its warning.
    init(_: Void) { super.init() }

    var modelReference: ModelReference<HomeAction>? { owner.withLock(\.reference) }
    var removableReference: (any RemovableReference)? { modelReference }

    /// The UUID, which does not change as long as the action set has the action.
    open var uniqueIdentifier: UUID {
        guard let reference = modelReference, let id = actionSet?.modelReference?.model.id else { return ownIdentifier }
        return UUID(id.uuid(ofActionOn: reference.model.characteristic, in: reference.home))
    }

    /// The action set that has the action, or is about to get it.
    var actionSet: HMActionSet? { owner.withLock(\.actionSet) }

    /// Claims the action for an action set; returns `false` if another one has it.
    func reserve(for actionSet: HMActionSet) -> Bool {
        owner.withLock { owner in
            guard owner.actionSet == nil else { return false }
            owner.actionSet = actionSet
            return true
        }
    }

    func attach(to actionSet: HMActionSet, as reference: ModelReference<HomeAction>) {
        owner.withLock { $0 = Owner(actionSet: actionSet, reference: reference) }
    }

    func willBeRemoved() { owner.withLock { $0 = Owner() } }

    /// The characteristic that the action sets.
    var selector: CharacteristicSelector? { nil }

    /// Returns the action as a home stores it.
    func homeAction(in home: ObjectID<Home>) throws(HMError) -> HomeAction {
        throw HMError(.invalidClass, "Only actions that write a characteristic can be added.")
    }

    /// Returns `targetValue` or `characteristic`, as Key-Value Coding does on Apple's platforms; `nil` for other keys.
    open func value(forKey key: String) -> Any? { nil }
}

/// An action that writes a value to a characteristic.
///
/// An action of a loaded scene has the type `HMCharacteristicWriteAction<any NSCopying>`, to which apps cast.
open class HMCharacteristicWriteAction<TargetValueType>: HMAction, @unchecked Sendable {
    private let ownCharacteristic: HMCharacteristic

    /// The characteristic.
    open var characteristic: HMCharacteristic { ownCharacteristic }
    private let lock = Mutex(())
    private var ownTarget: TargetValueType

    /// Creates an action, which can be added to a scene.
    @_disfavoredOverload
    public init(characteristic: HMCharacteristic, targetValue: TargetValueType) {
        ownCharacteristic = characteristic
        ownTarget = targetValue
        super.init(())
    }

    /// The value that the action writes.
    open var targetValue: TargetValueType {
        let own = lock.withLock { _ in ownTarget }
        // Another program may have changed the action.
        guard let stored = modelReference?.current?.value else { return own }
        return stored.copying as? TargetValueType ?? stored.foundation as? TargetValueType ?? own
    }

    override var selector: CharacteristicSelector? { characteristic.modelReference?.model.selector }

    override func homeAction(in home: ObjectID<Home>) throws(HMError) -> HomeAction {
        guard let modelReference = characteristic.modelReference, let current = modelReference.current else {
            throw .removed
        }
        guard modelReference.home == home else { throw .otherHome }
        guard current.base.permissions.contains(.write) else {
            throw HMError(.readOnlyCharacteristic, "\(current.base.name) cannot be written.")
        }
        let value = try current.base.metadata.value(fromFoundation: targetValue)
        return HomeAction(characteristic: current.selector, value: value)
    }

    open override func value(forKey key: String) -> Any? {
        switch key {
        case "targetValue": targetValue
        case "characteristic": characteristic
        default: nil
        }
    }

    /// Changes the value that the action writes, also in its scene.
    ///
    /// Errors: `objectNotAssociatedToAnyHome` for an action of no scene, and those of a value.
    open func updateTargetValue(
        _ targetValue: TargetValueType,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        updating(to: targetValue).report(to: completionHandler)
    }

    /// Changes the value that the action writes.
    open func updateTargetValue(_ targetValue: TargetValueType) async throws {
        try await updating(to: targetValue).value
    }

    private func updating(to targetValue: TargetValueType) -> PendingResult<Void> {
        do throws(HMError) {
            guard let owner = actionSet?.modelReference, case .scene(let scene)? = owner.current, let selector else {
                throw .removed
            }
            guard let current = characteristic.modelReference?.current else { throw .removed }
            let value = try current.base.metadata.value(fromFoundation: targetValue)
            let own = Unchecked(targetValue)
            return owner.edit { home throws(HomeError) in
                var actions = home.scene(scene.id)?.actions ?? []
                guard let index = actions.firstIndex(where: { $0.characteristic == selector }) else {
                    throw HomeError(.unknownObject, at: home.name.text, "The scene no longer has the action.")
                }
                actions[index].value = value
                try home.setActions(actions, of: scene.id)
            } returning: { [weak self] in
                self?.take(own.value)
                return ()
            }
        } catch {
            return PendingResult(failure: error)
        }
    }
}

extension HMCharacteristicWriteAction {
    fileprivate func take(_ targetValue: TargetValueType) { lock.withLock { _ in ownTarget = targetValue } }
}

/// A value of an app, which this framework only passes on.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension HMCharacteristicWriteAction where TargetValueType == any NSCopying {
    /// Creates an action with the type that the actions of a loaded scene have.
    public convenience init(characteristic: HMCharacteristic, targetValue: any NSCopying) {
        self.init(generic: characteristic, targetValue)
    }
}

extension HMCharacteristicWriteAction {
    fileprivate convenience init(generic characteristic: HMCharacteristic, _ targetValue: TargetValueType) {
        self.init(characteristic: characteristic, targetValue: targetValue)
    }
}
