import AccessoryFiles
import AccessoryModel
import Documents
import Simulation
import TestSupport
import Testing

/// Tests the names of everything in the folder Accessories.
struct GalleryNameTests {
    private static func document(_ file: GalleryFile) throws -> AccessoryDocument {
        try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document
    }

    private static func names(_ files: [GalleryFile]) throws -> SimulationNames {
        try SimulationNames(
            unstarted: files.map { file in
                let document = try document(file)
                return (document.name, document.makeAccessories(isSimulated: true), document.isVerbatim)
            }
        )
    }

    /// Returns the object that a text refers to, or the error if it does not refer to one.
    private static func resolve(
        _ text: some StringProtocol,
        _ kind: NameLevel,
        _ names: SimulationNames
    ) -> Result<SimulationObject, SimulationError> {
        Result { () throws(SimulationError) in try names.resolve(SimulationTarget(String(text)), as: [kind]) }
    }

    /// Checks that each completion refers to exactly one object, and that errors suggest only names that do.
    private static func check(_ names: SimulationNames, _ kind: NameLevel) throws {
        for text in names.texts(of: [kind]) {
            let object = try resolve(text, kind, names).get()
            #expect(names.text(of: object) == text)
        }
        for word in Set(names.texts(of: [kind]).compactMap { $0.split(separator: "/").last }) {
            guard case .failure(let error) = resolve(word, kind, names), error.code == .ambiguousName else { continue }
            let offered = error.remedy.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
            #expect(offered.count > 1)
            for (_, text) in offered {
                _ = try resolve(text, kind, names).get()
            }
        }
    }

    @Test(arguments: GalleryFile.all, NameLevel.allCases)
    func eachNameIsUnambiguous(file: GalleryFile, kind: NameLevel) throws {
        try Self.check(Self.names([file]), kind)
    }

    @Test(arguments: NameLevel.allCases)
    func eachNameIsUnambiguousAmongAllServers(kind: NameLevel) throws {
        try Self.check(Self.names(GalleryFile.all + GalleryFile.all.prefix(3)), kind)
    }

    @Test(arguments: GalleryFile.all)
    func faultOnAServerNameAppliesToTheWholeServer(file: GalleryFile) throws {
        let names = try Self.names([file])
        for definition in FaultCatalog.definitions where definition.scopes.contains(.server) {
            let request = FaultRequest<WrittenReferences>(definition.name, on: SimulationTarget(names.serverNames[0]))
            guard case .fault(let resolved) = try names.resolve(.fault(request)) else { continue }
            #expect(resolved.target == .server(0))
        }
    }

    // MARK: Home Assistant

    /// Home Assistant lists the entities of an accessory by their names.
    @Test(arguments: GalleryFile.all)
    func entitiesInHomeAssistantHaveDistinctNames(file: GalleryFile) throws {
        for accessory in try Self.document(file).accessories {
            let names = accessory.homeAssistantNames
            #expect(Set(names).count == names.count, "\(names)")
        }
    }

    @Test(arguments: [
        ("Rain Head", "Shower Rain Head"), ("Shower Head", "Shower Head"), ("SHOWER head", "SHOWER head"),
        ("Sho wer Head", "Sho wer Head"), ("Rain Shower", "Shower"), ("Show", "Shower"), ("", "Shower"),
    ])
    func homeAssistantCombinesTheNamesUnlessOneContainsTheOther(name: String, entity: String) throws {
        let text = "accessory: Shower\nservices: [{ type: Valve, name: \"\(name)\" }]\n"
        let document = try AccessoryFile.read(Array(text.utf8), name: "valve.yaml").document
        #expect(document.accessories.map(\.homeAssistantNames) == [[entity]])
    }

    @Test
    func homeAssistantUsesTheNameOfALinkedServiceOrOfTheKindOfSensor() throws {
        let text = """
            accessory: Shower
            services:
              - type: Faucet
                linked: [TemperatureSensor, Rain Head]
              - type: TemperatureSensor
              - type: HumiditySensor
                name: Cabin
              - type: Valve
                name: Rain Head
            """
        let document = try AccessoryFile.read(Array(text.utf8), name: "shower.yaml").document
        let names = ["Shower Rain Head", "Shower Temperature", "Shower Cabin Humidity", "Shower Rain Head"]
        #expect(document.accessories.map(\.homeAssistantNames) == [names])
    }
}

extension FileAccessory {
    /// The names of the entities that Home Assistant creates for the services.
    ///
    /// Entities of single characteristics are not included: they are named after the accessory alone.
    ///
    /// homeassistant/components/homekit_controller: `HomeKitEntity.name` in entity.py, `HomeKitSensor.name` and
    /// `default_name` in sensor.py, and `HOMEKIT_ACCESSORY_DISPATCH` in const.py.
    fileprivate var homeAssistantNames: [String] {
        services.compactMap { service in
            guard let sensor = Self.homeAssistantSensors[service.key.type] else { return nil }
            let name = homeAssistantName(of: service, sensor)
            guard let kind = sensor, !name.folded.contains(kind.folded) else { return name }
            return "\(name) \(kind)"
        }
    }

    private func homeAssistantName(of service: FileService, _ sensor: String?) -> String {
        let accessory = services.first?[.name] ?? ""
        let given = service[.name] ?? nameOfLinkedService(of: service) ?? ""
        guard let name = given.isEmpty ? sensor : given else { return accessory }
        if name.folded.hasPrefix(accessory.folded) { return name }
        let overlaps = name.folded.contains(accessory.folded) || accessory.folded.contains(name.folded)
        return overlaps ? accessory : "\(accessory) \(name)"
    }

    /// Returns the name of the first linked service that has one and a characteristic that the entity controls.
    private func nameOfLinkedService(of service: FileService) -> String? {
        let controlled = Set(service.characteristics.map(\.type)).subtracting(Self.uncontrolled)
        return services.filter { service.linked.contains($0.key) }
            .first { $0[.name] != nil && !controlled.isDisjoint(with: $0.characteristics.map(\.type)) }
            .flatMap { $0[.name] }
    }

    /// The types of characteristics that no entity of a service uses.
    private static let uncontrolled: Set<CharacteristicType> = [
        .name, .statusActive, .statusFault, .statusLowBattery, .statusTampered,
    ]

    /// The types of services that get an entity of their own; the name of its kind if it is a sensor.
    private static let homeAssistantSensors: [ServiceType: String?] = [
        .airPurifier: nil, .battery: "Battery", .carbonDioxideSensor: "Carbon Dioxide", .carbonMonoxideSensor: nil,
        .contactSensor: nil, .door: nil, .doorbell: nil, .fan: nil, .fanv2: nil, .faucet: nil,
        .garageDoorOpener: nil, .heaterCooler: nil, .humidifierDehumidifier: nil, .humiditySensor: "Humidity",
        .leakSensor: nil, .lightSensor: "Light Level", .lightbulb: nil, .lockMechanism: nil, .motionSensor: nil,
        .occupancySensor: nil, .outlet: nil, .securitySystem: nil, .smokeSensor: nil,
        .statelessProgrammableSwitch: nil, .switch: nil, .television: nil, .temperatureSensor: "Temperature",
        .thermostat: nil, .valve: nil, .window: nil, .windowCovering: nil,
    ]
}

extension FileService {
    /// The text of a characteristic.
    fileprivate subscript(_ type: CharacteristicType) -> String? {
        self.characteristics.first { $0.type == type }?.value?.string
    }
}

extension String {
    /// The form in which Home Assistant compares names: `folded_name` in utils.py.
    fileprivate var folded: String { lowercased().filter { $0 != " " } }
}
