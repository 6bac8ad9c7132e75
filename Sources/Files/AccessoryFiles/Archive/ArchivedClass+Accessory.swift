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
        switch type {
        case .accessoryInformation: ArchivedClass("HAKAccessoryInformationService", "HAKService")
        case .pairing: ArchivedClass("HAKPairingService", "HAKService")
        default: ArchivedClass("HAKService")
        }
    }

    /// Returns the class of characteristics of a type.
    static func characteristic(_ type: CharacteristicType) -> ArchivedClass {
        switch type {
        case .identify: ArchivedClass("HAKIdentifyCharacteristic", "HAKCharacteristic")
        case .pairSetup: pairing("HAKPairSetupCharacteristic")
        case .pairVerify: pairing("HAKPairVerifyCharacteristic")
        case .listPairings: pairing("HAKPairingsCharacteristic")
        case .pairingFeatures: ArchivedClass("HAKPairingFeaturesCharacteristic", "HAKCharacteristic")
        default: ArchivedClass("HAKCharacteristic")
        }
    }

    /// The names of the known classes of characteristics.
    static let characteristicNames: Set<String> = [
        "HAKCharacteristic", "HAKIdentifyCharacteristic", "HAKPairSetupCharacteristic", "HAKPairVerifyCharacteristic",
        "HAKPairingsCharacteristic", "HAKPairingFeaturesCharacteristic",
    ]

    /// The names of the known classes of services.
    static let serviceNames: Set<String> = [
        "HAKService", "HAKAccessoryInformationService", "HAKPairingService",
    ]

    private static func pairing(_ name: String) -> ArchivedClass {
        ArchivedClass(name, "HAKPairingCharacteristic", "HAKCharacteristic")
    }
}
