internal import HAPCore
internal import HomeModel
internal import Synchronization

/// The payload of a setup QR code or NFC tag.
open class HMAccessorySetupPayload: NSObject, NSCopying, @unchecked Sendable {
    let payload: SetupPayload

    /// Creates a payload from an address such as `X-HM://0026HLWHH7OSX`; `nil` if it is not a
    /// valid payload with a setup code.
    public init?(url setupPayloadURL: URL?) {
        guard let text = setupPayloadURL?.absoluteString, let payload = SetupPayload(parsing: text),
            payload.setupCode != nil
        else {
            return nil
        }
        self.payload = payload
        super.init()
    }

    /// Creates a payload; the token is not used.
    public convenience init?(url setupPayloadURL: URL, ownershipToken: HMAccessoryOwnershipToken?) {
        self.init(url: setupPayloadURL)
    }

    /// Returns itself: a payload does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A proof that a person owns an accessory, which Linux does not use.
open class HMAccessoryOwnershipToken: NSObject, @unchecked Sendable {
    let data: Data

    /// Creates a token; `nil` if there are no bytes.
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
        super.init()
    }
}

/// A request to add an accessory to a home.
open class HMAccessorySetupRequest: NSObject, NSCopying, @unchecked Sendable {
    private let values = Mutex(Values())

    private struct Values: Sendable {
        var payload: HMAccessorySetupPayload?
        var home: UUID?
        var room: UUID?
        var name: String?
    }

    /// The setup payload; if `nil`, ``HomeKitSettings/setupAnswer`` supplies the setup code.
    open var payload: HMAccessorySetupPayload? {
        get { values.withLock(\.payload) }
        set { values.withLock { $0.payload = newValue } }
    }
    /// The home; the primary one if it is `nil`.
    open var homeUniqueIdentifier: UUID? {
        get { values.withLock(\.home) }
        set { values.withLock { $0.home = newValue } }
    }
    /// The room of the new accessory; that for the entire home if it is `nil`.
    open var suggestedRoomUniqueIdentifier: UUID? {
        get { values.withLock(\.room) }
        set { values.withLock { $0.room = newValue } }
    }
    /// The name of the new accessory; its own name if it is `nil`.
    open var suggestedAccessoryName: String? {
        get { values.withLock(\.name) }
        set { values.withLock { $0.name = newValue } }
    }

    /// Creates an empty request.
    public override init() { super.init() }

    /// Returns a request with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = HMAccessorySetupRequest()
        let values = values.withLock(\.self)
        copy.values.withLock { $0 = values }
        return copy
    }
}

/// What was added to a home.
open class HMAccessorySetupResult: NSObject, @unchecked Sendable {
    private let added: (home: UUID, accessories: [UUID])

    /// The home.
    open var homeUniqueIdentifier: UUID { added.home }
    /// The new accessories: one, or a bridge with those behind it.
    open var accessoryUniqueIdentifiers: [UUID] { added.accessories }

    init(homeUniqueIdentifier: UUID, accessoryUniqueIdentifiers: [UUID]) {
        added = (homeUniqueIdentifier, accessoryUniqueIdentifiers)
        super.init()
    }
}

/// Adds accessories to homes without an ``HMHomeManager``.
open class HMAccessorySetupManager: NSObject, @unchecked Sendable {
    private let manager: HMHomeManager

    /// Creates a manager.
    public override init() {
        manager = HMHomeManager()
        super.init()
    }

    /// Creates a manager that adds accessories to the homes of another one.
    package init(of manager: HMHomeManager) {
        self.manager = manager
        super.init()
    }

    /// Always `true`.
    open class var isSupported: Bool { true }

    /// Pairs with an accessory, and adds it to a home.
    ///
    /// Errors: `notFound` for a home or a room that does not exist; `operationNotSupported` without a payload and without
    /// ``HomeKitSettings/setupAnswer``; `operationCancelled` without an answer; those of pairing.
    open func performAccessorySetup(
        using request: HMAccessorySetupRequest,
        completionHandler: @escaping @Sendable (HMAccessorySetupResult?, (any Error)?) -> Void
    ) {
        performing(request).report(to: completionHandler)
    }

    /// Pairs with an accessory, and adds it to a home.
    open func performAccessorySetup(using request: HMAccessorySetupRequest) async throws -> HMAccessorySetupResult {
        try await performing(request).value
    }

    private func performing(_ request: HMAccessorySetupRequest) -> PendingResult<HMAccessorySetupResult> {
        let setup = AccessorySetup(
            payload: request.payload?.payload,
            home: request.homeUniqueIdentifier,
            room: request.suggestedRoomUniqueIdentifier,
            name: request.suggestedAccessoryName,
            accessory: nil
        )
        return manager.context.add(setup) { home, accessories in
            HMAccessorySetupResult(
                homeUniqueIdentifier: home.uniqueIdentifier,
                accessoryUniqueIdentifiers: accessories.map(\.uniqueIdentifier)
            )
        }
    }
}
