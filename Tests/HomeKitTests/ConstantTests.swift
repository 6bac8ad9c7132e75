import AccessoryModel
import HAPCore
import Testing

@testable import HomeKit

/// Tests that Apple's constants name the types of the catalog.
@Suite struct ConstantTests {
    @Test(arguments: [
        (HMServiceTypeGarageDoorOpener, ServiceType.garageDoorOpener), (HMServiceTypeLightbulb, .lightbulb),
        (HMServiceTypeVentilationFan, .fanv2), (HMServiceTypeFan, .fan), (HMServiceTypeThermostat, .thermostat),
    ])
    func constantsOfServicesAreTheirUUIDs(constant: String, type: ServiceType) {
        #expect(constant == type.uuid.description)
    }

    @Test(arguments: [
        (HMCharacteristicTypePowerState, CharacteristicType.on), (HMCharacteristicTypeBrightness, .brightness),
        (HMCharacteristicTypeCurrentDoorState, .currentDoorState),
        (HMCharacteristicTypeCurrentHeatingCooling, .currentHeatingCoolingState),
        (HMCharacteristicTypeTargetLockMechanismState, .lockTargetState),
        (HMCharacteristicTypeInputEvent, .programmableSwitchEvent),
    ])
    func constantsOfCharacteristicsAreTheirUUIDs(constant: String, type: CharacteristicType) {
        #expect(constant == type.uuid.description)
    }

    @Test func enumerationsHaveHAPsValues() {
        #expect(HMCharacteristicValueDoorState.stopped.rawValue == 4)
        #expect(HMCharacteristicValueLockMechanismState.jammed.rawValue == 2)
        #expect(HMPresenceEventType.atHome == .firstEntry && HMPresenceEventType.notAtHome == .lastExit)
        #expect(HMError.Code.operationNotSupported.rawValue == 48)
        #expect(HMError.Code.allCases.count == 105)
        #expect(HMErrorDomain == "HMErrorDomain")
    }

    @Test func everyFormatAndUnitHasAConstant() {
        let formats: [CharacteristicFormat] = [
            .bool, .int, .float, .string, .uint8, .uint16, .uint32, .uint64, .data, .tlv8,
        ]
        let known = [
            HMCharacteristicMetadataFormatBool, HMCharacteristicMetadataFormatInt, HMCharacteristicMetadataFormatFloat,
            HMCharacteristicMetadataFormatString, HMCharacteristicMetadataFormatUInt8,
            HMCharacteristicMetadataFormatUInt16,
            HMCharacteristicMetadataFormatUInt32, HMCharacteristicMetadataFormatUInt64,
            HMCharacteristicMetadataFormatData,
            HMCharacteristicMetadataFormatTLV8,
        ]
        #expect(formats.map(\.rawValue) == known)
        #expect(CharacteristicUnit.percentage.rawValue == HMCharacteristicMetadataUnitsPercentage)
        #expect(CharacteristicUnit.arcdegrees.rawValue == HMCharacteristicMetadataUnitsArcDegree)
    }
}
