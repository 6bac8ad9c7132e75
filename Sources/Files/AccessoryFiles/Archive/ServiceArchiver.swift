internal import AccessoryModel
internal import HAPCore
internal import PropertyLists

/// Writes the services of one accessory into an archive.
struct ServiceArchiver {
    private let accessory: FileAccessory
    private let pairingServiceIDs: [InstanceID]
    /// The object numbers of the services that are written or referred to, by their position in the accessory.
    private var serviceUIDs: [Int: UInt32] = [:]

    /// Creates an archiver.
    ///
    /// - Parameters:
    ///   - accessory: An accessory whose objects all have ids.
    ///   - pairingServiceIDs: Five ids for the Bluetooth pairing service, or none to omit it.
    init(of accessory: FileAccessory, pairingServiceIDs: [InstanceID]) {
        self.accessory = accessory
        self.pairingServiceIDs = pairingServiceIDs
    }

    /// Writes all services; returns references to their list and to the primary one.
    mutating func write(
        owner: UInt32,
        into archiver: inout KeyedArchiver
    ) -> (list: PropertyList, primary: PropertyList) {
        let list = archiver.reserve()
        var elements: [PropertyList] = []
        for (position, service) in accessory.services.enumerated() {
            if position == pairingPosition {
                elements.append(writePairing(owner: owner, into: &archiver))
            }
            let uid = uid(of: position, in: &archiver)
            elements.append(write(archived(service), as: uid, owner: owner, into: &archiver))
        }
        if pairingPosition == accessory.services.count {
            elements.append(writePairing(owner: owner, into: &archiver))
        }
        archiver.fill(list, ["NS.objects": .array(elements), "$class": archiver.reference(to: .mutableArray)])
        let primary = accessory.services.firstIndex { $0.isPrimary }.flatMap { serviceUIDs[$0] }
        return (.uid(list), primary.map(PropertyList.uid) ?? KeyedArchiver.null)
    }

    /// The position after Accessory Information, as in real files, or `nil` to omit the service.
    private var pairingPosition: Int? {
        if pairingServiceIDs.isEmpty { return nil }
        return accessory.services.first?.key.type == .accessoryInformation ? 1 : 0
    }

    private mutating func uid(of position: Int, in archiver: inout KeyedArchiver) -> UInt32 {
        if let uid = serviceUIDs[position] { return uid }
        let uid = archiver.reserve()
        serviceUIDs[position] = uid
        return uid
    }

    /// A service in the form of an archive.
    private struct ArchivedService {
        let type: ServiceType
        let iid: InstanceID?
        var isHidden = false
        let characteristics: [(archived: ArchivedCharacteristic, iid: InstanceID?)]
        /// The positions of the linked services in the accessory.
        var linked: [Int] = []
    }

    private func archived(_ service: FileService) -> ArchivedService {
        ArchivedService(
            type: service.key.type,
            iid: service.iid,
            isHidden: service.isHidden,
            characteristics: service.characteristics.map { (archived: ArchivedCharacteristic($0), iid: $0.iid) },
            linked: service.linked.compactMap { key in accessory.services.firstIndex { $0.key == key } }
        )
    }

    private mutating func writePairing(owner: UInt32, into archiver: inout KeyedArchiver) -> PropertyList {
        let service = ArchivedService(
            type: .pairing,
            iid: pairingServiceIDs.first,
            characteristics: zip(ArchivedCharacteristic.pairing, pairingServiceIDs.dropFirst())
                .map { (archived: $0, iid: Optional($1)) }
        )
        let uid = archiver.reserve()
        return write(service, as: uid, owner: owner, into: &archiver)
    }

    private mutating func write(
        _ service: ArchivedService,
        as uid: UInt32,
        owner: UInt32,
        into archiver: inout KeyedArchiver
    ) -> PropertyList {
        let type = Self.type(service.type.uuid, in: &archiver)
        let iid = Self.reference(to: service.iid, in: &archiver)
        let hidden = archiver.reference(PropertyList.bool(service.isHidden))
        let characteristics = archiver.list { archiver in
            service.characteristics.map { Self.write($0.archived, iid: $0.iid, owner: uid, into: &archiver) }
        }
        let links = archiver.list { archiver in
            service.linked.map { PropertyList.uid(self.uid(of: $0, in: &archiver)) }
        }
        archiver.fill(
            uid,
            [
                "$class": archiver.reference(to: .service(service.type)),
                "HAK.accessory": .uid(owner),
                "HAK.characteristics": characteristics,
                "HAK.hidden": hidden,
                "HAK.linkedServices": links,
                "HAK.uuid": type,
                "HAK.instanceid": iid,
            ]
        )
        return .uid(uid)
    }

    private static func write(
        _ characteristic: ArchivedCharacteristic,
        iid: InstanceID?,
        owner: UInt32,
        into archiver: inout KeyedArchiver
    ) -> PropertyList {
        let uid = archiver.reserve()
        let type = type(characteristic.type.uuid, in: &archiver)
        let iid = reference(to: iid, in: &archiver)
        let value = reference(to: characteristic.value, in: &archiver)
        let constraints = constraints(of: characteristic, in: &archiver)
        let description = characteristic.description.map { archiver.reference(PropertyList.text($0)) }
        archiver.fill(
            uid,
            [
                "HAK.properties": .unsigned(characteristic.properties),
                "HAK.unit": .unsigned(characteristic.unit),
                "HAK.description": description ?? KeyedArchiver.null,
                "HAK.permissions": .unsigned(characteristic.permissions),
                "HAK.service": .uid(owner),
                "HAK.characteristicDelegate": KeyedArchiver.null,
                "HAK.format": .unsigned(characteristic.format),
                "$class": archiver.reference(to: .characteristic(characteristic.type)),
                "HAK.instanceid": iid,
                "HAK.value": value,
                "HAK.constrains": constraints,
                "HAK.uuid": type,
            ]
        )
        return .uid(uid)
    }

    private static func constraints(
        of characteristic: ArchivedCharacteristic,
        in archiver: inout KeyedArchiver
    ) -> PropertyList {
        if let length = characteristic.maximumLength.flatMap(PropertyList.init(integer:)) {
            let uid = archiver.reserve()
            let length = archiver.reference(length)
            archiver.fill(uid, ["HAK.maxLength": length, "$class": archiver.reference(to: .stringConstraints)])
            return .uid(uid)
        }
        let numbers = [characteristic.minimum, characteristic.maximum, characteristic.step]
        guard numbers.contains(where: { $0 != nil }) else { return KeyedArchiver.null }
        let uid = archiver.reserve()
        let places = numbers.map { $0.map { archiver.reference($0) } ?? KeyedArchiver.null }
        archiver.fill(
            uid,
            [
                "HAK.minValue": places[0],
                "HAK.stepValue": places[2],
                "HAK.maxValue": places[1],
                "$class": archiver.reference(to: .numberConstraints),
            ]
        )
        return .uid(uid)
    }

    private static func reference(
        to value: CharacteristicValue?,
        in archiver: inout KeyedArchiver
    ) -> PropertyList {
        switch value {
        case nil: KeyedArchiver.null
        case .bool(let value): archiver.reference(PropertyList.bool(value))
        case .number(let number): archiver.reference(number)
        case .string(let text): archiver.reference(PropertyList.text(text))
        case .data(let bytes): archiver.reference(PropertyList.data(bytes))
        }
    }

    private static func reference(to iid: InstanceID?, in archiver: inout KeyedArchiver) -> PropertyList {
        iid.map { archiver.reference(PropertyList.unsigned($0.rawValue)) } ?? KeyedArchiver.null
    }

    private static func type(_ uuid: HAPUUID, in archiver: inout KeyedArchiver) -> PropertyList {
        let uid = archiver.reserve()
        let inner = archiver.reserve()
        let bytes = [uuid.high, uuid.low]
            .flatMap { half in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
            }
        archiver.fill(inner, ["NS.uuidbytes": .data(bytes), "$class": archiver.reference(to: .uuid)])
        archiver.fill(
            uid,
            [
                "HAKUUID.version": 1,
                "HAK.type": 1,
                "HAK.uuid": .uid(inner),
                "$class": archiver.reference(to: .typeUUID),
            ]
        )
        return .uid(uid)
    }
}
