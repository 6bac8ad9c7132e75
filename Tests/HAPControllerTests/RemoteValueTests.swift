import AccessoryModel
import HAPCore
import Testing

@testable import HAPController

@Suite("A value that an accessory sends") struct RemoteValueTests {
    @Test(
        "A value is parsed by its format, or else returned unchanged",
        arguments: [
            (.bool, true, true), (.bool, 1, true), (.bool, 0, false), (.bool, "true", true), (.bool, "0", false),
            (.bool, 7, 7), (.bool, "maybe", "maybe"),
            (.uint8, 300, 300), (.uint8, true, 1), (.uint8, "21", 21), (.uint8, "full", "full"), (.uint8, 1.5, 1.5),
            (.float, 21, 21), (.float, "21.5", 21.5), (.float, false, 0),
            (.string, "", ""), (.string, 1.5, "1.5"), (.string, true, true),
            (.data, "AQID", .data([1, 2, 3])), (.data, "", .data([])), (.data, "AQI", "AQI"),
            (.tlv8, "AAA=", .data([0, 0])),
            (.tlv8, 5, 5),
        ] as [(CharacteristicFormat, JSONValue, CharacteristicValue)]
    )
    func valueIsParsedByItsFormat(format: CharacteristicFormat, json: JSONValue, value: CharacteristicValue) throws {
        #expect(try Sample.characteristic(format: format).value(from: json) == value)
    }

    @Test("Null, a list or an object is not a value", arguments: CharacteristicFormat.allCases)
    func nullListAndObjectAreNoValue(format: CharacteristicFormat) throws {
        let characteristic = try Sample.characteristic(format: format)
        #expect(characteristic.value(from: .null) == nil)
        #expect(characteristic.value(from: []) == nil)
        #expect(characteristic.value(from: .object([:])) == nil)
    }

    @Test("A value is shown by its name, or with its unit, on one line")
    func valueIsFormattedOnOneLine() throws {
        let door = try Sample.characteristic(.currentDoorState)
        #expect(door.text(of: 1) == "Closed")
        #expect(door.text(of: 9) == "9")
        #expect(door.text(of: nil) == "–")
        let units: [(CharacteristicUnit, String)] = [
            (.celsius, "21.5 °C"), (.percentage, "21.5 %"), (.arcdegrees, "21.5°"), (.lux, "21.5 lx"),
            (.seconds, "21.5 s"),
        ]
        #expect(units.count == CharacteristicUnit.allCases.count)
        for (unit, text) in units {
            var characteristic = try Sample.characteristic(format: .float)
            characteristic.metadata.unit = unit
            #expect(characteristic.text(of: 21.5) == text)
        }
        let name = try Sample.characteristic(.name)
        #expect(name.text(of: "a\u{1B}[2J\nb\u{202E}") == #"a\u{1B}[2J\u{A}b\u{202E}"#)
    }
}
