package import AccessoryModel
public import HAPCore

/// A device as a program declares it: what it is called, what it can do, and what it does when it is asked to.
///
/// ```swift
/// let lamp = HAPAccessory("Desk Lamp", category: .lighting) {
///     HAPService(.lightbulb) {
///         HAPCharacteristic(.on, false).onWrite { isOn in try await relay.set(isOn) }
///     }
/// }
/// ```
///
/// Accessory Information and HAP Protocol Information are made from the arguments; the braces hold the other services.
/// Several accessories behind one pairing are a ``bridge(_:key:manufacturer:model:serialNumber:firmware:accessories:)``.
///
/// HAP: §11.2
public struct HAPAccessory: Sendable {
    /// What tells it from others, across restarts and edits.
    public let key: String
    /// What people call it.
    public let name: String
    /// The icon that a controller shows while it pairs.
    public let category: AccessoryCategory

    private let information: Service
    private let services: [HAPService]
    private let bridged: [HAPAccessory]
    private let isBridge: Bool
    private var identify: (@Sendable () async throws -> Void)?

    /// Declares an accessory.
    ///
    /// - Parameters:
    ///   - name: What people call it, at most 64 bytes in UTF-8.
    ///   - category: The icon that a controller shows while it pairs. Of accessories behind a bridge nobody asks it.
    ///   - key: What identity, pairings, ids and values are kept under; `nil` takes the name. Give one before you change
    ///     the name: under another key it is another accessory, and has to be paired anew.
    ///   - manufacturer: At most 64 bytes.
    ///   - model: 1 to 64 bytes; `nil` takes the name.
    ///   - serialNumber: 2 to 64 bytes; `nil` takes the key.
    ///   - firmware: `x[.y[.z]]`; raise it with every release, and controllers look again at what the accessory has.
    ///   - services: What it can do: at least one service.
    public init(
        _ name: String,
        category: AccessoryCategory = .other,
        key: String? = nil,
        manufacturer: String = "Unknown",
        model: String? = nil,
        serialNumber: String? = nil,
        firmware: String = "1.0.0",
        @DeclarationBuilder<HAPService> services: () -> [HAPService]
    ) {
        self.key = key ?? name
        self.name = name
        self.category = category
        information = .accessoryInformation(
            name: name,
            manufacturer: manufacturer,
            model: model ?? name,
            serialNumber: serialNumber ?? self.key,
            firmware: firmware
        )
        self.services = services()
        bridged = []
        isBridge = false
    }

    /// Declares a bridge: one pairing for all the accessories behind it, at most 149.
    ///
    /// ```swift
    /// let bridge = HAPAccessory.bridge("Attic") {
    ///     for zone in zones {
    ///         HAPAccessory(zone.name, key: zone.id) {
    ///             HAPService(.temperatureSensor) { zone.temperature }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The arguments are those of ``init(_:category:key:manufacturer:model:serialNumber:firmware:services:)``. Every key
    /// is given once; an accessory's ids hang on it, so an accessory that comes back under its key is the same one.
    public static func bridge(
        _ name: String,
        key: String? = nil,
        manufacturer: String = "Unknown",
        model: String? = nil,
        serialNumber: String? = nil,
        firmware: String = "1.0.0",
        @DeclarationBuilder<HAPAccessory> accessories: () -> [HAPAccessory]
    ) -> HAPAccessory {
        let bridge = HAPAccessory(
            name,
            category: .bridge,
            key: key,
            manufacturer: manufacturer,
            model: model,
            serialNumber: serialNumber,
            firmware: firmware
        ) {}
        return HAPAccessory(bridge, bridging: accessories())
    }

    /// Lets the accessory show which one it is, by a blink or a beep.
    ///
    /// Called when a person asks for it before or after pairing. Time and errors are as with
    /// ``HAPCharacteristic/onWrite(_:)``.
    public func onIdentify(_ body: @escaping @Sendable () async throws -> Void) -> HAPAccessory {
        var copy = self
        copy.identify = body
        return copy
    }

    private init(_ bridge: HAPAccessory, bridging accessories: [HAPAccessory]) {
        key = bridge.key
        name = bridge.name
        category = bridge.category
        information = bridge.information
        services = []
        bridged = accessories
        isBridge = true
    }
}

extension HAPAccessory {
    /// The accessories as values, the first one with HAP Protocol Information.
    ///
    /// - Throws: ``ServerError`` with all that the compiler could not see.
    package func accessories() throws(ServerError) -> [Accessory] {
        try declaration().accessories
    }

    /// Everything that a server needs to know.
    ///
    /// - Throws: ``ServerError`` with all that the compiler could not see.
    func declaration() throws(ServerError) -> Declaration {
        var declaration = Declaration()
        add(to: &declaration, isPrimary: true)
        if isBridge, bridged.isEmpty {
            declaration.report(.missing, at: key, "nothing is behind the bridge; declare an accessory in its braces")
        }
        for accessory in bridged {
            if accessory.isBridge {
                declaration.report(.invalid, at: accessory.key, "a bridge stands behind no other; serve it by itself")
            }
            accessory.add(to: &declaration, isPrimary: false)
        }
        // Each tells the same fault in its own words.
        let others = AccessoryValidation.errors(in: declaration.accessories)
        let known = Set(declaration.errors.map(\.path))
        declaration.errors += others.filter { !known.contains($0.path) }
        guard declaration.errors.isEmpty else { throw ServerError(declaration.errors) }
        return declaration
    }

    private func add(to declaration: inout Declaration, isPrimary: Bool) {
        var lowered = [information]
        if isPrimary {
            lowered.append(.protocolInformation())
        }
        lowered += services.map(\.modelService)
        declaration.accessories.append(Accessory(key: key, services: lowered))
        var keys: Set<ServiceKey> = []
        for service in services {
            declaration.errors += service.errors(in: key)
            if !keys.insert(service.service.key).inserted {
                declaration.report(
                    .duplicate,
                    at: "\(key)/\(service.service.key.type)",
                    "two services of this type have one key; give each its own, such as key: \"left\""
                )
            }
            for characteristic in service.characteristics {
                declaration.add(characteristic, of: service.service.key, in: key)
            }
        }
        if let identify {
            let reference = CharacteristicKey(accessory: key, service: information.key, type: .identify)
            declaration.handlers[reference] = CharacteristicHandler(onWrite: { _, _ in
                try await identify()
                return nil
            })
        }
    }
}
