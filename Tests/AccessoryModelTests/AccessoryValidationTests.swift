import AccessoryModel
import HAPCore
import Simulation
import Testing

/// Tests the rules that every controller expects accessories to follow.
///
/// HAP: §11.1, §11.2
@Suite struct AccessoryValidationTests {
    /// A valid bridge with a light.
    private static var accessories: [Accessory] {
        [
            Accessory(key: "bridge", services: [Sample.information, .protocolInformation()]),
            Accessory(key: "lamp", services: [Sample.information, Sample.light()]),
        ]
    }

    @Test func garageHasNoViolations() {
        #expect(AccessoryValidation.errors(in: [KilgoGarage.accessory()]).isEmpty)
        #expect(AccessoryValidation.errors(in: [KilgoGarage.accessory(isSimulated: false)]).isEmpty)
    }

    @Test func bridgeNeedsNoFunctionalService() {
        #expect(AccessoryValidation.errors(in: Self.accessories).isEmpty)
        let alone = AccessoryValidation.errors(in: Array(Self.accessories.prefix(1)))
        #expect(alone.map(\.code) == [.missing])
        #expect(alone.map(\.path) == ["bridge"])
    }

    @Test func emptyListHasNoViolations() {
        #expect(AccessoryValidation.errors(in: []).isEmpty)
    }

    @Test(arguments: Catalog.services)
    func catalogServiceHasNoViolations(definition: ServiceDefinition) {
        guard ![.accessoryInformation, .protocolInformation].contains(definition.type) else { return }
        var accessories = Self.accessories
        let optional = definition.optional.filter { $0 != .identify }
        let types = Set(definition.required + optional)
        accessories[1].services
            .append(
                Service(definition.type, characteristics: types.map { Characteristic(cataloged: $0) })
            )
        #expect(AccessoryValidation.errors(in: accessories).isEmpty)
    }

    private static let violations: [RuleViolation] = [
        .init("no information", .missing, at: "lamp/Accessory Information") { $0[1].services.removeFirst() },
        .init("information later", .invalid, at: "lamp/Accessory Information") { $0[1].services.reverse() },
        .init("information twice", .duplicate, at: "lamp/Accessory Information") {
            var second = Sample.information
            second.key.subtype = "second"
            $0[1].services.append(second)
        },
        .init("wrong id of the information service", .invalid, at: "lamp/Accessory Information") {
            $0[1, .accessoryInformation].iid = InstanceID(2)
        },
        .init("identify in another service", .invalid, at: "lamp/Light Bulb/Identify") {
            $0[1, .lightbulb].characteristics.append(Characteristic(cataloged: .identify))
        },
        .init("no protocol information", .missing, at: "bridge/HAP Protocol Information") {
            $0[0].services.removeLast()
        },
        .init("protocol information twice", .duplicate, at: "bridge/HAP Protocol Information") {
            $0[0].services.append(.protocolInformation())
        },
        .init("protocol information of a bridged accessory", .invalid, at: "lamp/HAP Protocol Information") {
            $0[1].services.append(.protocolInformation())
        },
        .init("another version", .invalid, at: "bridge/HAP Protocol Information/Version") {
            $0[0, .protocolInformation, .version].value = "1.0"
        },
        .init("version without a value", .invalid, at: "bridge/HAP Protocol Information/Version") {
            $0[0, .protocolInformation, .version].value = nil
        },
        .init("no version", .missing, at: "bridge/HAP Protocol Information/Version") {
            $0[0, .protocolInformation].characteristics = []
        },
        .init("no service besides the information service", .missing, at: "lamp") { $0[1].services.removeLast() },
        .init("no required characteristic", .missing, at: "lamp/Light Bulb/On") {
            $0[1, .lightbulb].characteristics.removeFirst()
        },
        .init("value out of range", .invalid, at: "lamp/Light Bulb/Hue") { $0[1, .lightbulb, .hue].value = 361 },
        .init("value of another type", .invalid, at: "lamp/Light Bulb/On") { $0[1, .lightbulb, .on].value = "on" },
        .init("minimum above the maximum", .invalid, at: "lamp/Light Bulb/Hue") {
            $0[1, .lightbulb, .hue].value = nil
            $0[1, .lightbulb, .hue].metadata.minimum = 361
        },
        .init("step of 0", .invalid, at: "lamp/Light Bulb/Hue") { $0[1, .lightbulb, .hue].metadata.step = 0 },
        .init("step below 0", .invalid, at: "lamp/Light Bulb/Hue") { $0[1, .lightbulb, .hue].metadata.step = -1 },
        .init("only hidden characteristics in a visible service", .invalid, at: "lamp/Light Bulb") {
            for index in $0[1, .lightbulb].characteristics.indices {
                $0[1, .lightbulb].characteristics[index].permissions.insert(.hidden)
            }
        },
    ]

    @Test(arguments: violations)
    func eachViolationIsReported(violation: RuleViolation) {
        var accessories = Self.accessories
        violation.apply(&accessories)
        let found = AccessoryValidation.errors(in: accessories)
        #expect(found.map(\.code) == [violation.code])
        #expect(found.map(\.path) == [violation.path])
        #expect(found.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func allViolationsAreReported() {
        var accessories = Self.accessories
        for type in [.on, .hue] as [CharacteristicType] {
            accessories[1, .lightbulb, type].value = "text"
        }
        accessories[0].services.removeLast()
        #expect(
            AccessoryValidation.errors(in: accessories).map(\.path) == [
                "bridge/HAP Protocol Information", "lamp/Light Bulb/On", "lamp/Light Bulb/Hue",
            ]
        )
    }

    @Test func hiddenServiceMayHideAllItsCharacteristics() {
        var accessories = Self.accessories
        for index in accessories[1, .lightbulb].characteristics.indices {
            accessories[1, .lightbulb].characteristics[index].permissions.insert(.hidden)
        }
        accessories[1, .lightbulb].isHidden = true
        #expect(AccessoryValidation.errors(in: accessories).isEmpty)
    }

    @Test(
        arguments: [.identify, .manufacturer, .model, .name, .serialNumber, .firmwareRevision] as [CharacteristicType]
    )
    func informationServiceMustBeComplete(type: CharacteristicType) {
        var accessories = Self.accessories
        accessories[1, .accessoryInformation].characteristics.removeAll { $0.type == type }
        let found = AccessoryValidation.errors(in: accessories)
        #expect(found.map(\.code) == [.missing])
        #expect(found.map(\.path) == ["lamp/Accessory Information/\(type)"])
        guard type != .identify else { return }
        accessories = Self.accessories
        accessories[1, .accessoryInformation, type].value = nil
        #expect(AccessoryValidation.errors(in: accessories).map(\.path) == ["lamp/Accessory Information/\(type)"])
    }

    private static let texts: [(CharacteristicType, String, Bool)] =
        [
            (.manufacturer, 0...64), (.model, 1...64), (.name, 0...64), (.serialNumber, 2...64),
        ]
        .flatMap { (type: CharacteristicType, range: ClosedRange<Int>) in
            [range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1].filter { $0 >= 0 }
                .map { (type, String(repeating: "a", count: $0), range.contains($0)) }
        } + [(.name, String(repeating: "ä", count: 32), true), (.name, String(repeating: "ä", count: 33), false)]

    @Test(arguments: texts)
    func textLengthsAreLimitedInBytes(type: CharacteristicType, text: String, isAllowed: Bool) {
        #expect(isAccepted(.string(text), as: type) == isAllowed)
    }

    @Test func declaredLengthsDoNotRaiseTheLimits() {
        var accessories = Self.accessories
        accessories[1, .accessoryInformation, .name].metadata.maximumLength = 256
        accessories[1, .accessoryInformation, .name].value = .string(String(repeating: "a", count: 65))
        #expect(AccessoryValidation.errors(in: accessories).count == 1)
    }

    @Test(arguments: ["0", "1", "1.2", "1.2.3", "100.20.3", "0.0.0", "4294967295.4294967295.4294967295", "01.2"])
    func aVersionHasOneToThreeNumbers(text: String) {
        #expect(isAccepted(.string(text), as: .firmwareRevision))
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "1.2.3.4", "4294967296", "1.4294967296", "v1", "1.0b2", "1.0-1", "+1", "-1",
        "1.+2",
        " 1", "1 ", "1,2", "１", "1.2.3\n",
    ])
    func invalidVersionIsRefused(text: String) {
        #expect(!isAccepted(.string(text), as: .firmwareRevision))
    }

    @Test func versionMustBeText() {
        #expect(!isAccepted(1, as: .firmwareRevision))
    }

    private func isAccepted(_ value: CharacteristicValue, as type: CharacteristicType) -> Bool {
        var accessories = Self.accessories
        accessories[1, .accessoryInformation, type].value = value
        return AccessoryValidation.errors(in: accessories).isEmpty
    }
}
