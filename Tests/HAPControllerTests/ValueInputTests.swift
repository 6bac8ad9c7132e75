import AccessoryModel
import HAPCore
import Testing

@testable import HAPController

@Suite("A value that a user enters") struct ValueInputTests {
    @Test("A value name, in any case, or its number is accepted", arguments: ["Closed", "closed", "CLOSED", "1"])
    func valueNamesAndNumbersAreParsed(text: String) throws {
        #expect(try Sample.characteristic(.targetDoorState).value(parsing: text) == 1)
    }

    @Test(
        "Words for on and off are accepted",
        arguments: [
            ("on", true), ("ON", true), ("true", true), ("yes", true), ("1", true), ("off", false), ("False", false),
            ("no", false), ("0", false),
        ]
    )
    func boolWordsAreParsed(text: String, value: Bool) throws {
        #expect(try Sample.characteristic(.on).value(parsing: text) == .bool(value))
        #expect(try Sample.characteristic(.active).value(parsing: text) == (value ? 1 : 0))
    }

    @Test("A number is accepted with or without its unit", arguments: ["80", "80%", "80 %", "8e1"])
    func unitIsOptional(text: String) throws {
        #expect(try Sample.characteristic(.brightness).value(parsing: text) == 80)
    }

    @Test("A string is taken unchanged, and data is read as Base64")
    func stringsAndBase64AreParsed() throws {
        #expect(try Sample.characteristic(format: .string).value(parsing: "on") == "on")
        #expect(try Sample.characteristic(format: .string).value(parsing: "") == "")
        #expect(try Sample.characteristic(format: .data).value(parsing: "AQID") == .data([1, 2, 3]))
        #expect(try Sample.characteristic(format: .tlv8).value(parsing: "") == .data([]))
    }

    @Test(
        "An invalid value is refused, and the error lists the valid ones",
        arguments: [
            (.targetDoorState, "ajar", "Open (0) or Closed (1)"), (.targetDoorState, "2", "Open (0) or Closed (1)"),
            (.on, "2", "on or off"), (.on, "", "on or off"), (.brightness, "101", "from 0 to 100 %"),
            (.brightness, "1.5", "a whole number"), (.brightness, "05", "a whole number"),
            (.brightness, "on", "a whole number"),
            (.hue, "blue", "a number from 0 to 360 °"), (.name, String(repeating: "x", count: 65), "at most 64 bytes"),
        ] as [(CharacteristicType, String, String)]
    )
    func invalidValuesListTheAllowedOnes(type: CharacteristicType, text: String, allowed: String) throws {
        let characteristic = try Sample.characteristic(type)
        let error = #expect(throws: ControllerError.self) { try characteristic.value(parsing: text) }
        #expect(error?.code == .invalidValue)
        #expect(error?.remedy.contains(allowed) == true, "\(error?.remedy ?? "")")
    }

    @Test("A value is not rounded to the next step")
    func valuesAreNotRoundedToSteps() throws {
        var characteristic = try Sample.characteristic(format: .float)
        characteristic.metadata.minimum = 10
        characteristic.metadata.maximum = 30
        characteristic.metadata.step = 0.5
        #expect(try characteristic.value(parsing: "21.5") == 21.5)
        let error = #expect(throws: ControllerError.self) { try characteristic.value(parsing: "21.3") }
        #expect(error?.remedy == "It takes a number from 10 to 30 in steps of 0.5.")
    }

    @Test("Base64 with an invalid length or alphabet is refused", arguments: ["AQI", "ÄÖ", "A"])
    func invalidBase64IsRefused(text: String) throws {
        let characteristic = try Sample.characteristic(format: .data)
        let error = #expect(throws: ControllerError.self) { try characteristic.value(parsing: text) }
        #expect(error?.remedy == "It takes at most 2097152 bytes in Base64.")
    }
}
