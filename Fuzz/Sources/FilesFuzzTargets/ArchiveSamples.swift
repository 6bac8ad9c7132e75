import AccessoryFiles
import AccessoryModel
import HAPCore
import PropertyLists

/// Well-formed archives with which mutation begins.
enum ArchiveSamples {
    /// A lamp with one function.
    static let lamp = archive(of: [accessory("Lamp", aid: 1, isPrimary: true)])

    /// A bridge with two lamps.
    static let bridge = archive(of: [
        accessory("Bridge", aid: 1, isPrimary: true), accessory("A", aid: 2), accessory("B", aid: 4),
    ])

    /// An accessory with one characteristic, whose values are mostly stored inline instead of as references.
    static let small: PropertyList = [
        "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": ["accessory": .uid(1)]],
        "$objects": [
            "$null", ["$class": .uid(2), "HAK.services": [.uid(3)], "HAK.instanceid": 1],
            ["$classname": "HAKAccessory", "$classes": ["HAKAccessory", "NSObject"]],
            [
                "$class": ["$classname": "HAKService"], "HAK.uuid": .data(uuid(0x43)), "HAK.instanceid": 8,
                "HAK.characteristics": [.uid(4)], "HAK.linkedServices": [.uid(3)],
            ],
            [
                "$class": ["$classname": "HAKCharacteristic"], "HAK.uuid": .data(uuid(0x08)), "HAK.instanceid": 9,
                "HAK.properties": 11, "HAK.permissions": 12, "HAK.format": 2, "HAK.unit": 2, "HAK.service": .uid(3),
                "HAK.value": .uid(5), "HAK.constrains": .uid(6),
            ],
            [
                "$class": ["$classname": "NSDecimalNumberPlaceholder"], "NS.exponent": 2, "NS.length": 1,
                "NS.mantissa": .data([1] + [UInt8](repeating: 0, count: 15)), "NS.mantissa.bo": 1, "NS.negative": false,
            ],
            ["$class": ["$classname": "HAKNumberConstraints"], "HAK.minValue": 0, "HAK.maxValue": 100],
        ],
    ]

    /// The smallest archive in XML.
    static let markup = """
        <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key><dict>
        <key>accessory</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></dict><key>$objects</key><array>
        <string>$null</string><dict><key>$class</key><string/><key>HAK.services</key><array/></dict></array></dict></plist>
        """

    private static func uuid(_ short: UInt8) -> [UInt8] {
        [0, 0, 0, short, 0, 0, 0x10, 0, 0x80, 0, 0, 0x26, 0xBB, 0x76, 0x52, 0x91]
    }

    private static func accessory(_ name: String, aid: UInt64, isPrimary: Bool = false) -> FileAccessory {
        var title = Characteristic(cataloged: .name, value: .string(name))
        title.description = "text"
        title.metadata.maximumLength = 64
        let information = Service(.accessoryInformation, characteristics: [title], iid: .accessoryInformation)
        let lamp = Service(
            .lightbulb,
            characteristics: [
                Characteristic(cataloged: .on, value: true), Characteristic(cataloged: .hue, value: 0.5),
            ],
            isPrimary: true,
            linked: [ServiceKey(.switch)]
        )
        let button = Service(
            .switch,
            characteristics: [
                Characteristic(
                    type: CharacteristicType(HAPUUID(high: 1, low: aid)),
                    permissions: [.read],
                    metadata: CharacteristicMetadata(format: .data),
                    value: .data([1, 2])
                )
            ],
            isHidden: true
        )
        let services = isPrimary ? [information, .protocolInformation(), lamp, button] : [information, button]
        return FileAccessory(
            key: name,
            services: services.map { service in
                var description = service.description
                description.iid = nil
                return FileService(description)
            },
            aid: AccessoryID(aid)
        )
    }

    private static func archive(of accessories: [FileAccessory]) -> PropertyList {
        let document = AccessoryDocument(
            key: accessories[0].key,
            name: accessories[0].key,
            category: .lighting,
            accessories: accessories,
            deviceID: DeviceID("11:22:33:AA:BB:CC"),
            setupCode: SetupCode("455-80-516"),
            setupID: SetupID("CBRG"),
            configurationNumber: 3
        )
        guard let written = try? AccessoryFile.write(document, as: .archive, name: "f").bytes,
            let list = try? PropertyListReader.read(written, name: "f")
        else { fatalError("a sample cannot be written") }
        return list
    }
}
