package import AccessoryModel
public import HAPCore

/// A device as a program declares it: its name, its services, and how it handles reads and writes.
///
/// ```swift
/// let lamp = HAPAccessory("Desk Lamp", category: .lighting) {
///     HAPService(.lightbulb) {
///         HAPCharacteristic(.on, false).onWrite { isOn in try await relay.set(isOn) }
///     }
/// }
/// ```
///
/// The services Accessory Information and HAP Protocol Information are created from the arguments; the closure returns
/// the other services. For several accessories with one pairing, use
/// ``bridge(_:key:manufacturer:model:serialNumber:firmware:accessories:)``.
///
/// HAP: §11.2
public struct HAPAccessory: Sendable {
    /// The identity of the accessory across restarts and edits.
    public let key: String
    /// The name that people see.
    public let name: String
    /// The icon that a controller shows while it pairs.
    public let category: AccessoryCategory

    private let information: Service
    private let services: [HAPService]
    /// The accessories of a bridge; `nil` for any other accessory.
    private var bridged: [HAPAccessory]?
    private var identify: (@Sendable () async throws -> Void)?

    /// Declares an accessory.
    ///
    /// - Parameters:
    ///   - name: The name that people see, at most 64 bytes in UTF-8.
    ///   - category: The icon that a controller shows during pairing. It has no effect on accessories of a bridge.
    ///   - key: The key under which identity, pairings, ids and values are stored; `nil` uses the name. Set one before
    ///     you change the name: with another key it is a new accessory that must be paired again.
    ///   - manufacturer: At most 64 bytes.
    ///   - model: 1 to 64 bytes; `nil` uses the name.
    ///   - serialNumber: 2 to 64 bytes; `nil` uses the key.
    ///   - firmware: `x[.y[.z]]`. Raise it with every release, so that controllers read the accessory again.
    ///   - services: At least one service.
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
    }

    /// Declares a bridge: one pairing for at most 149 accessories.
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
    /// The arguments are those of ``init(_:category:key:manufacturer:model:serialNumber:firmware:services:)``. Keys are
    /// unique. The ids of an accessory depend on its key, so an accessory that is added again with its key is the same
    /// one.
    public static func bridge(
        _ name: String,
        key: String? = nil,
        manufacturer: String = "Unknown",
        model: String? = nil,
        serialNumber: String? = nil,
        firmware: String = "1.0.0",
        @DeclarationBuilder<HAPAccessory> accessories: () -> [HAPAccessory]
    ) -> HAPAccessory {
        var bridge = HAPAccessory(
            name,
            category: .bridge,
            key: key,
            manufacturer: manufacturer,
            model: model,
            serialNumber: serialNumber,
            firmware: firmware
        ) {}
        bridge.bridged = accessories()
        return bridge
    }

    /// Sets the closure that makes the accessory identify itself, for example by a blink or a beep.
    ///
    /// Called when a user requests it, before or after pairing. Timeouts and errors are as in
    /// ``HAPCharacteristic/onWrite(_:)``.
    public func onIdentify(_ body: @escaping @Sendable () async throws -> Void) -> HAPAccessory {
        var copy = self
        copy.identify = body
        return copy
    }
}

extension HAPAccessory {
    /// Returns the accessories as values, the first one with HAP Protocol Information.
    ///
    /// - Throws: ``ServerError`` with all errors that the compiler could not find.
    package func accessories() throws(ServerError) -> [Accessory] {
        try declaration().accessories
    }

    /// The declaration in the form that a server uses.
    ///
    /// - Throws: ``ServerError`` with all errors that the compiler could not find.
    func declaration() throws(ServerError) -> Declaration {
        var declaration = Declaration()
        add(to: &declaration, isPrimary: true)
        if let bridged, bridged.isEmpty {
            declaration.report(.missing, at: key, "the bridge has no accessories; declare one in its braces")
        }
        for accessory in bridged ?? [] {
            if accessory.bridged != nil {
                declaration.report(
                    .invalid,
                    at: accessory.key,
                    "a bridge cannot be behind another bridge; serve it "
                        + "with its own server"
                )
            }
            accessory.add(to: &declaration, isPrimary: false)
        }
        // Both checks report the same error in different words.
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
                    "two services of this type have the same key; give each its own, such as key: \"left\""
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
