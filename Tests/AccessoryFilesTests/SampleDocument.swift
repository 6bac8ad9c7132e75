import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation

extension AccessoryDocument {
    /// The Kilgo garage, with all properties of a server.
    static var garage: AccessoryDocument {
        AccessoryDocument(
            key: KilgoGarage.name,
            name: KilgoGarage.name,
            category: KilgoGarage.category,
            accessories: [FileAccessory(KilgoGarage.accessory())],
            deviceID: DeviceID("11:22:33:AA:BB:CC"),
            setupCode: SetupCode("455-80-516"),
            setupID: SetupID("CBRG"),
            configurationNumber: 3
        )
    }

    /// A bridge with two accessories, which contains everything that an archive can represent.
    ///
    /// Every object has an id.
    static var bridge: AccessoryDocument {
        var garage = FileAccessory(KilgoGarage.accessory())
        garage.key = "Garage"
        garage.aid = AccessoryID(7)
        garage.services.removeAll { $0.key.type == .protocolInformation }
        garage.services[0].characteristics[3].value = "Garage"
        garage.services[1].isHidden = true
        garage.services[1].linked = [ServiceKey(.lightbulb)]
        garage.services[2].linked = [ServiceKey(.garageDoorOpener)]
        garage.services[0].characteristics
            .append(
                contentsOf: CharacteristicFormat.allCases.enumerated().map { .sample($1, number: UInt64($0)) }
            )
        let label = { (name: String, iid: UInt64) in
            FileService(
                ServiceDescription(
                    key: ServiceKey(.switch, subtype: name),
                    characteristics: [
                        Characteristic(cataloged: .name, value: .string(name)),
                        Characteristic(cataloged: .on, value: true),
                    ],
                    linked: [ServiceKey(.switch, subtype: name == "Upper" ? "Lower" : "Upper")],
                    iid: InstanceID(iid)
                )
            )
        }
        let switches = FileAccessory(
            key: "Switches",
            services: [
                FileService(.accessoryInformation(name: "Switches", firmware: "2.0")), label("Upper", 20),
                label("Lower", 30),
            ],
            aid: AccessoryID(3)
        )
        let bridge = FileAccessory(
            key: "Bridge",
            services: [
                FileService(.accessoryInformation(name: "Bridge", firmware: "1.0.0")),
                FileService(.protocolInformation()),
            ],
            aid: .primary
        )
        return AccessoryDocument(
            key: "Bridge",
            name: "Bridge",
            category: .bridge,
            accessories: [bridge, garage.numbered, switches.numbered].map(\.numbered),
            deviceID: DeviceID("11:22:33:AA:BB:CC"),
            setupCode: SetupCode("455-80-516"),
            setupID: SetupID("CBRG"),
            configurationNumber: 65_535
        )
    }

    /// Writes the document as an archive and reads it back.
    ///
    /// Returns the result with all diagnostics.
    func archiveRoundTrip() throws -> (document: AccessoryDocument, diagnostics: [Diagnostic]) {
        let written = try AccessoryFile.write(self, as: .archive, name: "out.hasaccessory")
        let reading = try AccessoryFile.read(written.bytes, name: "out.hasaccessory")
        return (reading.document, written.losses + reading.warnings)
    }
}

extension FileAccessory {
    init(_ accessory: Accessory) {
        self.init(key: accessory.key, services: accessory.services.map(FileService.init), aid: accessory.aid)
    }

    /// The accessory with an id for every object, numbered as a server would.
    var numbered: FileAccessory {
        var accessory = self
        var last: UInt64 = 1
        let next = { (iid: InstanceID?) -> InstanceID? in
            last = max(last + (iid == nil ? 1 : 0), iid?.rawValue ?? 0)
            return InstanceID(iid?.rawValue ?? last)
        }
        for position in services.indices {
            accessory.services[position].iid = next(services[position].iid)
            for index in services[position].characteristics.indices {
                let iid = services[position].characteristics[index].iid
                accessory.services[position].characteristics[index].iid = next(iid)
            }
        }
        return accessory
    }
}

extension FileService {
    init(_ service: Service) {
        self.init(service.description)
    }
}

extension Service {
    static func accessoryInformation(name: String, firmware: String) -> Service {
        .accessoryInformation(name: name, manufacturer: "hap", model: "M", serialNumber: "12", firmware: firmware)
    }
}

extension Characteristic {
    /// Returns a vendor's characteristic of a format, with suitable metadata and a value.
    static func sample(_ format: CharacteristicFormat, number: UInt64) -> Characteristic {
        var metadata = CharacteristicMetadata(format: format)
        let value: CharacteristicValue
        switch format {
        case .bool: value = true
        case .string:
            metadata.maximumLength = 100
            value = .string(String(repeating: "é", count: 50))
        case .tlv8: value = .data([])
        case .data: value = .data([UInt8](repeating: 0xFF, count: 300))
        case .float:
            metadata = CharacteristicMetadata(format: format, unit: .celsius, minimum: -0.5, maximum: 1e30, step: 0.1)
            value = 21.3
        case .int:
            metadata = CharacteristicMetadata(format: format, unit: .seconds, minimum: -10, maximum: 10, step: 2)
            value = -4
        case .uint8:
            metadata = CharacteristicMetadata(format: format, unit: .lux, maximum: 250)
            value = 250
        case .uint16, .uint32: value = 65_535
        case .uint64: value = .number(.unsigned(.max))
        }
        return Characteristic(
            type: CharacteristicType(HAPUUID(high: 0x1234_5678_9ABC_DEF0, low: 0xFEDC_BA98_7654_3210 + number)),
            permissions: number.isMultiple(of: 2) ? [.read, .write] : [.read, .events],
            metadata: metadata,
            description: "Sample \(number)",
            value: value
        )
    }
}
