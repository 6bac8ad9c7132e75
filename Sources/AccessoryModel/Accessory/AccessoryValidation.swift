internal import HAPCore

/// Checks whether every controller would accept accessories.
///
/// Stricter than the database, which serves everything that has unique ids: files of real devices break some of these
/// rules, and controllers tolerate that.
///
/// HAP: §11.1, §11.2, §11.5
package struct AccessoryValidation {
    /// A fault with where it is, in positions.
    package struct LocatedError: Sendable, Hashable {
        /// The error, with its path in names.
        package var error: ModelError
        /// Which accessory.
        package var accessory: Int
        /// The index of the service; `nil` if the error is not about one.
        package var service: Int?
        /// The index of the service's characteristic; `nil` if the error is not about one.
        package var characteristic: Int?
        /// Whether it is the characteristic's value that is wrong, and not what it is declared as.
        package var concernsValue = false
    }

    private var errors: [LocatedError] = []
    private var accessory = 0
    private var service: Int?
    private var characteristic: Int?

    /// Everything that is wrong with the accessories of a server; the first of them is the primary one, or the bridge.
    package static func errors(in accessories: [Accessory]) -> [ModelError] {
        locatedErrors(in: accessories).map(\.error)
    }

    /// Everything that is wrong with the accessories of a server, with where it is.
    package static func locatedErrors(in accessories: [Accessory]) -> [LocatedError] {
        var validation = AccessoryValidation()
        for (position, accessory) in accessories.enumerated() {
            let isBridge = position == 0 && accessories.count > 1
            validation.accessory = position
            validation.check(accessory, isPrimary: position == 0, needsFunction: !isBridge)
        }
        return validation.errors
    }

    private init() {}

    private mutating func check(_ accessory: Accessory, isPrimary: Bool, needsFunction: Bool) {
        checkInformation(accessory)
        checkProtocolInformation(accessory, isPrimary: isPrimary)
        if needsFunction, !accessory.services.contains(where: \.isFunctional) {
            report(.missing, at: accessory.key, "no service says what it does; add one, such as a Switch")
        }
        for (position, service) in accessory.services.enumerated() {
            self.service = position
            check(service, at: "\(accessory.key)/\(service.key.type)")
        }
        service = nil
    }

    private mutating func checkInformation(_ accessory: Accessory) {
        let type = ServiceType.accessoryInformation
        let path = "\(accessory.key)/\(type)"
        let informations = accessory.services.filter { $0.key.type == type }
        service = accessory.services.firstIndex { $0.key.type == type }
        defer { service = nil }
        guard let information = informations.first else {
            return report(.missing, at: path, "every accessory has this service; add it as the first one")
        }
        if accessory.services.first?.key.type != type {
            report(.invalid, at: path, "this service is the first of its accessory; move it there")
        }
        if informations.count > 1 {
            report(.duplicate, at: path, "an accessory has this service once; remove the others")
        }
        if let iid = information.iid, iid != .accessoryInformation {
            report(.invalid, at: path, "this service has instance id 1, not \(iid); leave the id away")
        }
    }

    private mutating func checkProtocolInformation(_ accessory: Accessory, isPrimary: Bool) {
        let type = ServiceType.protocolInformation
        let path = "\(accessory.key)/\(type)"
        let informations = accessory.services.filter { $0.key.type == type }
        service = accessory.services.firstIndex { $0.key.type == type }
        defer { service = nil }
        guard isPrimary else {
            if !informations.isEmpty {
                report(.invalid, at: path, "the server's first accessory alone has this service; remove it here")
            }
            return
        }
        guard let information = informations.first else {
            return report(.missing, at: path, "the server's first accessory has this service; add it")
        }
        if informations.count > 1 {
            report(.duplicate, at: path, "the server's first accessory has this service once; remove the others")
        }
        // One without the characteristic is reported for that.
        if let position = information.characteristics.firstIndex(where: { $0.type == .version }),
            information.characteristics[position].value != "1.1.0"
        {
            let version = information.characteristics[position]
            characteristic = position
            defer { characteristic = nil }
            let remedy = "this server speaks version \"1.1.0\"; write that"
            report(.invalid, at: "\(path)/\(version.type)", remedy, concernsValue: true)
        }
    }

    private mutating func check(_ service: Service, at path: String) {
        let present = Set(service.characteristics.map(\.type))
        for type in Catalog.service(service.key.type)?.required ?? [] where !present.contains(type) {
            report(.missing, at: "\(path)/\(type)", "every such service has this characteristic; add it")
        }
        let isHidden = service.characteristics.allSatisfy { $0.permissions.contains(.hidden) }
        if isHidden, !service.characteristics.isEmpty, !service.isHidden {
            report(.invalid, at: path, "all its characteristics are hidden; hide the service too, or show one of them")
        }
        for (position, characteristic) in service.characteristics.enumerated() {
            self.characteristic = position
            check(characteristic, of: service, at: "\(path)/\(characteristic.type)")
        }
        characteristic = nil
    }

    private mutating func check(_ characteristic: Characteristic, of service: Service, at path: String) {
        let isInformation = service.key.type == .accessoryInformation
        if characteristic.type == .identify, !isInformation {
            report(.invalid, at: path, "Accessory Information alone has this characteristic; remove it here")
        }
        checkRange(characteristic.metadata, at: path)
        if isInformation, let rule = InformationRule(characteristic.type) {
            if !rule.allows(characteristic.value) {
                report(.invalid, at: path, "its value is \(rule.requirement)", concernsValue: true)
            }
        } else if let value = characteristic.value,
            characteristic.metadata.value(from: value, isStrict: false) == nil
        {
            let reason = "\(value) is not a value of this characteristic; see its format and range"
            report(.invalid, at: path, reason, concernsValue: true)
        }
    }

    private mutating func checkRange(_ metadata: CharacteristicMetadata, at path: String) {
        if let minimum = metadata.minimum, let maximum = metadata.maximum, !(minimum <= maximum) {
            report(.invalid, at: path, "the minimum \(minimum) is above the maximum \(maximum); swap them")
        }
        if let step = metadata.step, !(step > 0) {
            report(.invalid, at: path, "the step \(step) is not above 0; write a positive one, or none")
        }
    }

    private mutating func report(
        _ code: ModelError.Code,
        at path: String,
        _ reason: String,
        concernsValue: Bool = false
    ) {
        errors.append(
            LocatedError(
                error: ModelError(code, at: path, reason),
                accessory: accessory,
                service: service,
                characteristic: characteristic,
                concernsValue: concernsValue
            )
        )
    }
}

extension Service {
    /// Whether it is there for people, and not for the protocol alone.
    fileprivate var isFunctional: Bool {
        self.key.type != .accessoryInformation && self.key.type != .protocolInformation
    }
}
