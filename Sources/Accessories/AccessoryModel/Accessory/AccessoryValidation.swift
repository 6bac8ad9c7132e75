internal import HAPCore

/// A check of whether every controller would accept a server's accessories.
///
/// It is stricter than the database, which serves all accessories with unique ids. Files of real devices break some of
/// these rules, and controllers tolerate that.
///
/// HAP: §11.1, §11.2, §11.5
package struct AccessoryValidation {
    /// An error with the indices of the object that it is about.
    package struct LocatedError: Sendable, Hashable {
        /// The error, whose path is made of names.
        package var error: ModelError
        /// The index of the accessory.
        package var accessory: Int
        /// The index of the service, or `nil` if the error is not about a service.
        package var service: Int?
        /// The index of the service's characteristic, or `nil` if the error is not about a characteristic.
        package var characteristic: Int?
        /// Whether the error is about the characteristic's value, and not about its declaration.
        package var concernsValue = false
    }

    private var errors: [LocatedError] = []
    private var accessory = 0
    private var service: Int?
    private var characteristic: Int?

    /// Returns all errors in the accessories of a server.
    ///
    /// The first accessory is the primary one, or the bridge.
    package static func errors(in accessories: [Accessory]) -> [ModelError] {
        locatedErrors(in: accessories).map(\.error)
    }

    /// Returns all errors in the accessories of a server, each with the indices of the object that it is about.
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
            report(
                .missing,
                at: accessory.key,
                "the accessory only describes itself; add a service that does something, such as Switch"
            )
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
            return report(.missing, at: path, "every accessory must have this service; add it as the first service")
        }
        if accessory.services.first?.key.type != type {
            report(.invalid, at: path, "this must be the first service of its accessory; move it there")
        }
        if informations.count > 1 {
            report(.duplicate, at: path, "the accessory has this service more than once; keep one")
        }
        if let iid = information.iid, iid != .accessoryInformation {
            report(.invalid, at: path, "this service must have the instance id 1, not \(iid); omit the id")
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
                report(.invalid, at: path, "only the server's first accessory may have this service; remove it here")
            }
            return
        }
        guard let information = informations.first else {
            return report(.missing, at: path, "the server's first accessory must have this service; add it")
        }
        if informations.count > 1 {
            report(.duplicate, at: path, "the server's first accessory has this service more than once; keep one")
        }
        // If the characteristic is missing, that is reported as a missing characteristic.
        if let position = information.characteristics.firstIndex(where: { $0.type == .version }),
            information.characteristics[position].value != "1.1.0"
        {
            let version = information.characteristics[position]
            characteristic = position
            defer { characteristic = nil }
            let remedy = "this server supports only version \"1.1.0\"; write this version"
            report(.invalid, at: "\(path)/\(version.type)", remedy, concernsValue: true)
        }
    }

    private mutating func check(_ service: Service, at path: @autoclosure () -> String) {
        let present = Set(service.characteristics.map(\.type))
        for type in Catalog.service(service.key.type)?.required ?? [] where !present.contains(type) {
            report(.missing, at: "\(path())/\(type)", "this characteristic is required; add it")
        }
        let isHidden = service.characteristics.allSatisfy { $0.permissions.contains(.hidden) }
        if isHidden, !service.characteristics.isEmpty, !service.isHidden {
            report(
                .invalid,
                at: path(),
                "all its characteristics are hidden; hide the service too, or show one of them"
            )
        }
        for (position, characteristic) in service.characteristics.enumerated() {
            self.characteristic = position
            check(characteristic, of: service, at: "\(path())/\(characteristic.type)")
        }
        characteristic = nil
    }

    private mutating func check(
        _ characteristic: Characteristic,
        of service: Service,
        at path: @autoclosure () -> String
    ) {
        let isInformation = service.key.type == .accessoryInformation
        if characteristic.type == .identify, !isInformation {
            report(.invalid, at: path(), "only Accessory Information may have this characteristic; remove it here")
        }
        checkRange(characteristic.metadata, at: path())
        if isInformation, let rule = InformationRule(characteristic.type) {
            if !rule.allows(characteristic.value) {
                report(.invalid, at: path(), "the value must be \(rule.requirement)", concernsValue: true)
            }
        } else if let value = characteristic.value,
            characteristic.metadata.value(from: value, isStrict: false) == nil
        {
            let reason = "\(value) is not a value of this characteristic; see its format and range"
            report(.invalid, at: path(), reason, concernsValue: true)
        }
    }

    private mutating func checkRange(_ metadata: CharacteristicMetadata, at path: @autoclosure () -> String) {
        if let minimum = metadata.minimum, let maximum = metadata.maximum, !(minimum <= maximum) {
            report(.invalid, at: path(), "the minimum \(minimum) is above the maximum \(maximum); swap them")
        }
        if let step = metadata.step, !(step > 0) {
            report(.invalid, at: path(), "the step \(step) is not above 0; write a positive step, or omit it")
        }
    }

    private mutating func report(
        _ code: ModelError.Code,
        at path: @autoclosure () -> String,
        _ reason: String,
        concernsValue: Bool = false
    ) {
        errors.append(
            LocatedError(
                error: ModelError(code, at: path(), reason),
                accessory: accessory,
                service: service,
                characteristic: characteristic,
                concernsValue: concernsValue
            )
        )
    }
}

extension Service {
    /// Whether the service has a function for the user, and is not only part of the protocol.
    fileprivate var isFunctional: Bool {
        self.key.type != .accessoryInformation && self.key.type != .protocolInformation
    }
}
