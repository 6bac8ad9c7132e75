import AccessoryModel
import HAPCore
import Testing

/// Tests individual types: those of the garage, and those on which the sources disagree.
@Suite struct CatalogContentTests {
    @Test(
        arguments: [
            (.currentDoorState, 0x0E, .uint8, [.read, .events]),
            (.targetDoorState, 0x32, .uint8, [.read, .write, .events]),
            (.obstructionDetected, 0x24, .bool, [.read, .events]),
            (.lockCurrentState, 0x1D, .uint8, [.read, .events]),
            (.lockTargetState, 0x1E, .uint8, [.read, .write, .events]),
            (.on, 0x25, .bool, [.read, .write, .events]),
            (.brightness, 0x08, .int, [.read, .write, .events]),
            (.hue, 0x13, .float, [.read, .write, .events]),
            (.saturation, 0x2F, .float, [.read, .write, .events]),
            (.identify, 0x14, .bool, [.write]),
            (.name, 0x23, .string, [.read]),
            (.manufacturer, 0x20, .string, [.read]),
            (.model, 0x21, .string, [.read]),
            (.serialNumber, 0x30, .string, [.read]),
            (.firmwareRevision, 0x52, .string, [.read]),
            (.version, 0x37, .string, [.read]),
        ] as [(CharacteristicType, UInt32, CharacteristicFormat, CharacteristicPermissions)]
    )
    func garageCharacteristicsHaveApplesMetadata(
        type: CharacteristicType,
        short: UInt32,
        format: CharacteristicFormat,
        permissions: CharacteristicPermissions
    ) throws {
        #expect(type.uuid.apple == short)
        let definition = try #require(Catalog.characteristic(type))
        #expect(definition.metadata.format == format)
        #expect(definition.permissions == permissions)
        #expect(definition.adminOnly.isEmpty)
    }

    @Test func theDoorHasFiveStatesAndTwoTargets() throws {
        let current = try #require(Catalog.characteristic(.currentDoorState))
        #expect(current.valueNames.map(\.name) == ["Open", "Closed", "Opening", "Closing", "Stopped"])
        #expect(current.metadata.validValues == [0, 1, 2, 3, 4])
        #expect(current.metadata.minimum == 0)
        #expect(current.metadata.maximum == 4)
        #expect(current.metadata.step == 1)
        let target = try #require(Catalog.characteristic(.targetDoorState))
        #expect(target.valueNames.map(\.name) == ["Open", "Closed"])
        #expect(target.metadata.validValues == [0, 1])
    }

    @Test func theLockHasFourStatesAndTwoTargets() throws {
        let current = try #require(Catalog.characteristic(.lockCurrentState))
        #expect(current.valueNames.map(\.name) == ["Unsecured", "Secured", "Jammed", "Unknown"])
        let target = try #require(Catalog.characteristic(.lockTargetState))
        #expect(target.valueNames.map(\.name) == ["Unsecured", "Secured"])
    }

    @Test func theLightHasRangesAndUnits() throws {
        let brightness = try #require(Catalog.characteristic(.brightness)).metadata
        #expect(
            brightness
                == CharacteristicMetadata(format: .int, unit: .percentage, minimum: 0, maximum: 100, step: 1)
        )
        let hue = try #require(Catalog.characteristic(.hue)).metadata
        #expect(hue == CharacteristicMetadata(format: .float, unit: .arcdegrees, minimum: 0, maximum: 360, step: 1))
        let saturation = try #require(Catalog.characteristic(.saturation)).metadata
        #expect(
            saturation
                == CharacteristicMetadata(format: .float, unit: .percentage, minimum: 0, maximum: 100, step: 1)
        )
    }

    @Test func garageServicesRequireTheProtocolsCharacteristics() throws {
        let opener = try #require(Catalog.service(.garageDoorOpener))
        #expect(Set(opener.required) == [.currentDoorState, .targetDoorState, .obstructionDetected])
        #expect(Set(opener.optional).isSuperset(of: [.lockCurrentState, .lockTargetState, .name]))
        let light = try #require(Catalog.service(.lightbulb))
        #expect(light.required == [.on])
        #expect(Set(light.optional).isSuperset(of: [.brightness, .hue, .saturation, .name]))
        let information = try #require(Catalog.service(.accessoryInformation))
        #expect(
            Set(information.required)
                == [.identify, .manufacturer, .model, .name, .serialNumber, .firmwareRevision]
        )
        #expect(try #require(Catalog.service(.protocolInformation)).required == [.version])
    }

    @Test func stepOfATenthIsExact() throws {
        let metadata = try #require(Catalog.characteristic(.coolingThresholdTemperature)).metadata
        #expect(metadata.step == .real(0.1))
        #expect(metadata.step?.description == "0.1")
        #expect(metadata.minimum == .unsigned(10))
    }

    @Test func textCharacteristicsHaveTheirLengthLimits() throws {
        let model = try #require(Catalog.characteristic(.model)).metadata
        #expect(model.minimumLength == 1)
        #expect(model.maximumLength == 64)
        #expect(try #require(Catalog.characteristic(.serialNumber)).metadata.minimumLength == 2)
    }

    @Test(arguments: [.isConfigured, .activeIdentifier, .configuredName, .displayOrder] as [CharacteristicType])
    func configurationCharacteristicsAreWritable(type: CharacteristicType) throws {
        #expect(try #require(Catalog.characteristic(type)).permissions.isSuperset(of: [.read, .write, .events]))
    }

    @Test(
        arguments: [
            .characteristicValueTransitionControl, .setupDataStreamTransport, .dataStreamHAPTransport,
        ] as [CharacteristicType]
    )
    func controlPointHasAWriteResponse(type: CharacteristicType) throws {
        #expect(try #require(Catalog.characteristic(type)).permissions == [.read, .write, .writeResponse])
    }

    @Test func temperaturesReachBelowFreezing() throws {
        let metadata = try #require(Catalog.characteristic(.currentTemperature)).metadata
        #expect(metadata.minimum == .negative(-270))
        #expect(metadata.maximum == 100)
    }

    @Test func bitFieldsNameTheirBits() throws {
        let features = try #require(Catalog.characteristic(.pairingFeatures))
        #expect(features.bitNames.map(\.value) == [1, 2])
        #expect(features.metadata.validValues.isEmpty)
        let flags = try #require(Catalog.characteristic(.accessoryFlags))
        #expect(flags.bitNames == [.init("RequiresAdditionalSetup", 1)])
    }

    @Test func adminOnlyAccessIsPreserved() throws {
        #expect(try #require(Catalog.characteristic(.targetControlList)).adminOnly == [.read, .write])
        #expect(try #require(Catalog.characteristic(.buttonEvent)).adminOnly == [.notify])
    }
}
