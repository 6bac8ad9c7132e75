internal import AccessoryModel
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// A characteristic with the service that it belongs to.
struct CharacteristicModel: Sendable {
    let selector: CharacteristicSelector
    let base: HomeCharacteristic
}

/// A property of a service, such as the state of the garage door.
open class HMCharacteristic: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<CharacteristicModel>?
    private let ownIdentifier = UUID()
    private let notifies = Mutex(false)

    init(_ modelReference: ModelReference<CharacteristicModel>) {
        self.modelReference = modelReference
        super.init()
    }

    /// Creates a characteristic of no service, for a subclass in a test.
    @available(*, deprecated, message: "Only tests need it; characteristics come from a service.")
    public override init() {
        modelReference = nil
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The UUID, which does not change as long as the accessory has the characteristic.
    open var uniqueIdentifier: UUID {
        guard let modelReference else { return ownIdentifier }
        return UUID(Home.uuid(of: modelReference.model.selector, in: modelReference.home))
    }

    /// The service; `nil` after it was removed.
    open var service: HMService? {
        modelReference.flatMap { $0.context.service($0.model.selector.service, of: $0.home) }
    }

    /// The type: one of the constants `HMCharacteristicType…`, or the UUID of a vendor's type, in capital letters.
    open var characteristicType: String { modelReference?.model.base.type.uuid.description ?? "" }
    /// The type in words, in English; for a vendor's type, what the accessory says, else the UUID.
    open var localizedDescription: String { modelReference?.model.base.name ?? "" }

    /// What can be done: constants `HMCharacteristicProperty…`.
    open var properties: [String] {
        let permissions = modelReference?.model.base.permissions ?? []
        return Self.properties.filter { permissions.contains($0.0) }.map(\.1)
    }

    private static let properties: [(CharacteristicPermissions, String)] = [
        (.read, HMCharacteristicPropertyReadable), (.write, HMCharacteristicPropertyWritable),
        (.events, HMCharacteristicPropertySupportsEventNotification), (.hidden, HMCharacteristicPropertyHidden),
        (.additionalAuthorization, HMCharacteristicPropertyRequiresAuthorizationData),
    ]

    /// The format and the limits; `nil` only for a characteristic of no service.
    open var metadata: HMCharacteristicMetadata? { modelReference.map { HMCharacteristicMetadata($0.model.base) } }

    /// The last known value: an `NSNumber`, a `String` or `Data`; `nil` until it is known.
    ///
    /// It is updated while the accessory is reachable, even if notifications are disabled.
    open var value: Any? {
        guard let modelReference, let reference else { return nil }
        return modelReference.context.core.state.withLock { $0.values[reference] }?.foundation
    }

    /// Where the characteristic is on the network; `nil` if the accessory was not found yet.
    var reference: CharacteristicReference? {
        guard let modelReference,
            let accessory = modelReference.snapshot?.index.accessory(of: modelReference.model.selector.service),
            let place = accessory.reference, let iid = modelReference.model.base.iid
        else { return nil }
        return CharacteristicReference(accessory: place, iid: iid)
    }

    private var isBridged: Bool {
        modelReference.flatMap { $0.snapshot?.index.accessory(of: $0.model.selector.service)?.bridge } != nil
    }

    // MARK: Reading

    /// Reads the value from the accessory and updates ``value``.
    ///
    /// Errors: `writeOnlyCharacteristic`, `accessoryNotReachable`, and what the accessory answers.
    open func readValue(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        reading().report(to: completionHandler)
    }

    /// Reads the value from the accessory and updates ``value``.
    open func readValue() async throws { try await reading().value }

    private func reading() -> PendingResult<Void> {
        access(.read, (.writeOnlyCharacteristic, "cannot be read")) { modelReference, _, reference in
            modelReference.context.core.read(reference, isBridged: isBridged)
        }
    }

    private func access(
        _ permission: CharacteristicPermissions,
        _ refusal: (code: HMError.Code, text: String),
        _ start: (ModelReference<CharacteristicModel>, HomeCharacteristic, CharacteristicReference) throws(HMError) ->
            PendingResult<
                Void
            >
    ) -> PendingResult<Void> {
        do throws(HMError) {
            guard let modelReference, let current = modelReference.current else { throw .removed }
            guard current.base.permissions.contains(permission) else {
                throw HMError(refusal.code, "\(current.base.name) \(refusal.text).")
            }
            guard let reference else {
                throw HMError(.accessoryNotReachable, "The accessory was not found on the network yet.")
            }
            return try start(modelReference, current.base, reference)
        } catch {
            return PendingResult(failure: error)
        }
    }

    // MARK: Writing

    /// Writes a value to the accessory and updates ``value``.
    ///
    /// The value is a `Bool`, a number, an `NSNumber`, a `String` or `Data`. A number between two steps is rounded.
    ///
    /// Errors: `readOnlyCharacteristic`; `invalidValueType`, `valueLowerThanMinimum`, `valueHigherThanMaximum` and
    /// `stringLongerThanMaximum` before anything is sent; `accessoryNotReachable`, and what the accessory answers.
    open func writeValue(_ value: Any?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        writing(value).report(to: completionHandler)
    }

    /// Writes a value to the accessory and updates ``value``.
    open func writeValue(_ value: Any?) async throws { try await writing(value).value }

    private func writing(_ value: Any?) -> PendingResult<Void> {
        access(.write, (.readOnlyCharacteristic, "cannot be written")) {
            modelReference,
            characteristic,
            reference throws(HMError) in
            let value = try characteristic.metadata.value(fromFoundation: value)
            return modelReference.context.core.write(value, to: reference, isBridged: isBridged)
        }
    }

    // MARK: Notifications

    /// Whether the accessory's delegate is notified of new values.
    ///
    /// It becomes `false` when the accessory can no longer be reached.
    open var isNotificationEnabled: Bool { notifies.withLock(\.self) }

    /// Enables or disables notifications of new values to the accessory's delegate.
    ///
    /// Errors: `notificationNotSupported`, `notificationAlreadyEnabled`, `accessoryNotReachable`.
    open func enableNotification(_ enable: Bool, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        enabling(enable).report(to: completionHandler)
    }

    /// Enables or disables notifications of new values to the accessory's delegate.
    open func enableNotification(_ enable: Bool) async throws { try await enabling(enable).value }

    private func enabling(_ enable: Bool) -> PendingResult<Void> {
        access(.events, (.notificationNotSupported, "does not report its values")) {
            modelReference,
            _,
            reference throws(HMError) in
            let isReachable = modelReference.context.core.state.withLock {
                $0.reachable.contains(reference.accessory.server)
            }
            guard isReachable else { throw HMError(.accessoryNotReachable, "The accessory cannot be reached.") }
            let isNew = notifies.withLock { notifies in
                defer { notifies = enable }
                return notifies != enable
            }
            guard isNew || !enable else {
                throw HMError(.notificationAlreadyEnabled, "Notifications are enabled already.")
            }
            let pending = PendingResult<Void>()
            onMainQueue { pending.finish(.success(())) }
            return pending
        }
    }

    func disableNotification() { notifies.withLock { $0 = false } }

    /// Always fails with `operationNotSupported`.
    open func updateAuthorizationData(_ data: Data?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        PendingResult<Void>(failure: .unsupported("Authorization data is not supported.")).report(to: completionHandler)
    }

    /// Always fails with `operationNotSupported`.
    open func updateAuthorizationData(_ data: Data?) async throws {
        throw HMError.unsupported("Authorization data is not supported.")
    }
}
