internal import AccessoryModel
internal import Discovery
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// An accessory of a home, or one on the network that can be added to a home.
open class HMAccessory: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<HomeAccessory>?
    /// The discovery record of an accessory that is not in a home.
    let discovered: DiscoveredAccessory?
    private let ownIdentifier = UUID()
    /// The services of an accessory that was removed.
    private let lastServices = Mutex<[HMService]?>(nil)
    private let delegateReference = WeakDelegate<any HMAccessoryDelegate>()

    init(_ modelReference: ModelReference<HomeAccessory>) {
        self.modelReference = modelReference
        discovered = nil
        super.init()
    }

    init(_ discovered: DiscoveredAccessory) {
        modelReference = nil
        self.discovered = discovered
        super.init()
    }

    /// Creates an accessory that is in no home, for a subclass in a test.
    @available(*, deprecated, message: "Only tests need it; accessories come from a home.")
    public override init() {
        modelReference = nil
        discovered = nil
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    func willBeRemoved() {
        let services = services
        for service in services { service.willBeRemoved() }
        lastServices.withLock { $0 = services }
    }

    /// The delegate, which is called on the main queue.
    open var delegate: (any HMAccessoryDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.delegate = newValue }
    }

    /// The name, unique among the accessories of the home.
    open var name: String { modelReference?.model.name.text ?? discovered?.name ?? "" }

    /// The UUID, which does not change as long as the accessory is in the home.
    open var uniqueIdentifier: UUID {
        if let modelReference { return UUID(Home.uuid(of: modelReference.model.id, in: modelReference.home)) }
        return discovered?.deviceID.map { UUID(Home.uuid(ofDiscovered: $0)) } ?? ownIdentifier
    }

    /// Whether the accessory, or its bridge, is connected.
    open var isReachable: Bool {
        guard let modelReference, let server = modelReference.model.reference?.server else { return discovered != nil }
        return modelReference.context.core.state.withLock { $0.reachable.contains(server) }
    }

    /// Whether the accessory is behind a bridge.
    open var isBridged: Bool { modelReference?.model.bridge != nil }
    /// Always `false`.
    open var isBlocked: Bool { false }

    /// The accessories behind this bridge; empty if it is not one.
    open var bridgedAccessories: [HMAccessory] {
        guard let modelReference, let home = modelReference.snapshot?.home else { return [] }
        let id = modelReference.model.id
        return home.accessories.filter { $0.bridge == id }
            .compactMap { modelReference.context.accessory($0.id, of: home.id) }
    }

    /// The UUIDs of the accessories behind this bridge; `nil` if it is not one.
    open var uniqueIdentifiersForBridgedAccessories: [UUID]? {
        let bridged = bridgedAccessories
        return bridged.isEmpty ? nil : bridged.map(\.uniqueIdentifier)
    }

    /// The home, or `nil` if the accessory is in none.
    open var home: HMHome? { modelReference.flatMap { $0.current == nil ? nil : $0.context.home($0.home) } }
    /// The room, or `nil` if the accessory is in no home.
    open var room: HMRoom? {
        modelReference.flatMap { reference in
            reference.current.flatMap { reference.context.room($0.room, of: reference.home) }
        }
    }

    /// The services, in the order of the accessory.
    open var services: [HMService] {
        if let lastServices = lastServices.withLock(\.self) { return lastServices }
        guard let modelReference else { return [] }
        return modelReference.model.services.compactMap {
            modelReference.context.service($0.id, of: modelReference.home)
        }
    }

    /// The kind of device.
    open var category: HMAccessoryCategory { HMAccessoryCategory(knownCategory) }

    private var knownCategory: AccessoryCategory {
        if let discovered { return discovered.category ?? .other }
        guard let accessory = modelReference?.model else { return .other }
        if let category = accessory.category { return category }
        if !bridgedAccessories.isEmpty { return .bridge }
        let visible = accessory.services.filter(\.isVisible)
        return AccessoryCategory(
            primaryServiceType: (visible.first(where: \.isPrimary) ?? visible.first)?.effectiveType
        )
    }

    /// Always empty.
    open var profiles: [HMAccessoryProfile] { [] }
    /// Always `nil`.
    open var cameraProfiles: [HMCameraProfile]? { nil }
    /// Always `nil`: Matter is not supported.
    open var matterNodeID: UInt64? { nil }
    /// The id of the accessory in its server, from 1; `nil` if it was not found yet.
    open var hapInstanceID: UInt64? { modelReference?.model.reference?.aid.rawValue }
    /// Always `true`.
    open var isVendorAccessory: Bool { true }

    // MARK: Information

    /// The model; `nil` until it is known.
    open var model: String? { discovered?.model ?? information(.model) }
    /// The manufacturer; `nil` until it is known.
    open var manufacturer: String? { information(.manufacturer) }
    /// The version of the firmware; `nil` until it is known.
    open var firmwareVersion: String? { information(.firmwareRevision) }

    private func information(_ type: CharacteristicType) -> String? {
        guard let (reference, _) = characteristic(type, of: .accessoryInformation) else { return nil }
        return modelReference?.context.core.state.withLock { $0.values[reference]?.string }
    }

    private func characteristic(
        _ type: CharacteristicType,
        of service: ServiceType
    ) -> (CharacteristicReference, HomeCharacteristic)? {
        guard let accessory = modelReference?.model, let reference = accessory.reference,
            let found = accessory.services.first(where: { $0.type == service })?.characteristic(type),
            let iid = found.iid
        else { return nil }
        return (CharacteristicReference(accessory: reference, iid: iid), found)
    }

    /// Whether ``identify(completionHandler:)`` works.
    open var supportsIdentify: Bool { characteristic(.identify, of: .accessoryInformation) != nil }

    /// Asks the accessory to identify itself, for example by blinking.
    open func identify(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        identifying().report(to: completionHandler)
    }

    /// Asks the accessory to identify itself, for example by blinking.
    open func identify() async throws { try await identifying().value }

    private func identifying() -> PendingResult<Void> {
        guard let modelReference, modelReference.current != nil else { return PendingResult(failure: .removed) }
        guard let (reference, _) = characteristic(.identify, of: .accessoryInformation) else {
            return PendingResult(failure: .unsupported("The accessory has no Identify characteristic."))
        }
        return modelReference.context.core.write(true, to: reference, isBridged: isBridged)
    }

    // MARK: Name

    /// Renames the accessory in the home only; nothing is sent to the accessory.
    open func updateName(_ name: String, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        renaming(to: name).report(to: completionHandler)
    }

    /// Renames the accessory in the home only; nothing is sent to the accessory.
    open func updateName(_ name: String) async throws { try await renaming(to: name).value }

    private func renaming(to name: String) -> PendingResult<Void> {
        modelReference.rename(to: name, \.name) { home, known, name throws(HomeError) in
            try home.renameAccessory(known.id, to: name)
        }
    }

    func disableNotifications() {
        for service in services {
            for characteristic in service.characteristics { characteristic.disableNotification() }
        }
    }
}

/// Additional functions of an accessory, such as a camera; no accessory has profiles on Linux.
open class HMAccessoryProfile: NSObject, @unchecked Sendable {
    private let ownIdentifier = UUID()

    /// A UUID.
    open var uniqueIdentifier: UUID { ownIdentifier }
    /// Always empty.
    open var services: [HMService] { [] }
    /// Always `nil`.
    open var accessory: HMAccessory? { nil }
}

/// A camera; no accessory has one on Linux.
open class HMCameraProfile: HMAccessoryProfile, @unchecked Sendable {}
