internal import AccessoryModel

extension ArchivedClass {
    static let accessory = ArchivedClass("HAKAccessory")
    static let identifier = ArchivedClass("HAKIdentifier")
    static let typeUUID = ArchivedClass("HAKUUID")
    static let transport = ArchivedClass("HAKIPTransport", "HAKTransport")
    static let protocolVersion = ArchivedClass("HAKProtocolVersion")
    static let numberConstraints = ArchivedClass("HAKNumberConstraints", "HAKValueConstraints")
    static let stringConstraints = ArchivedClass("HAKStringConstraints", "HAKValueConstraints")

    /// Returns the class of services of a type.
    static func service(_ type: ServiceType) -> ArchivedClass {
        services[type] ?? anyService
    }

    /// Returns the class of characteristics of a type.
    static func characteristic(_ type: CharacteristicType) -> ArchivedClass {
        characteristics[type] ?? anyCharacteristic
    }

    /// The names of the known classes of characteristics.
    static let characteristicNames = Set(characteristics.values.map(\.name) + [anyCharacteristic.name])

    /// The names of the known classes of services.
    static let serviceNames = Set(services.values.map(\.name) + [anyService.name])

    private static let anyService = ArchivedClass("HAKService")
    private static let anyCharacteristic = ArchivedClass("HAKCharacteristic")

    /// The archive class of each service type with a class of its own.
    private static let services: [ServiceType: ArchivedClass] = [
        .accessoryInformation: ArchivedClass("HAKAccessoryInformationService", anyService.name),
        .pairing: ArchivedClass("HAKPairingService", anyService.name),
    ]

    /// The archive class of each characteristic type with a class of its own.
    private static let characteristics: [CharacteristicType: ArchivedClass] = [
        .identify: ArchivedClass("HAKIdentifyCharacteristic", anyCharacteristic.name),
        .pairSetup: pairing("HAKPairSetupCharacteristic"),
        .pairVerify: pairing("HAKPairVerifyCharacteristic"),
        .listPairings: pairing("HAKPairingsCharacteristic"),
        .pairingFeatures: ArchivedClass("HAKPairingFeaturesCharacteristic", anyCharacteristic.name),
    ]

    private static func pairing(_ name: String) -> ArchivedClass {
        ArchivedClass(name, "HAKPairingCharacteristic", anyCharacteristic.name)
    }
}
