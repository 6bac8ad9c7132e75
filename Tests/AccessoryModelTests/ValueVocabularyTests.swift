import AccessoryModel
import HAPCore
import Testing

/// Tests which value each text represents; files, commands and the prompt share one vocabulary.
struct ValueVocabularyTests {
    static let kinds: [(name: String, type: CharacteristicType, metadata: CharacteristicMetadata)] = [
        ("On", .on, CharacteristicMetadata(format: .bool)),
        ("Active", .active, CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 1, validValues: [0, 1])),
        (
            "TargetDoorState", .targetDoorState,
            CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 1, validValues: [0, 1])
        ),
        (
            "TargetHeatingCoolingState", .targetHeatingCoolingState,
            CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 3, validValues: [0, 1, 2, 3])
        ),
        ("uint8", vendor, CharacteristicMetadata(format: .uint8)),
        (
            "Brightness", .brightness,
            CharacteristicMetadata(format: .int, unit: .percentage, minimum: 0, maximum: 100, step: 1)
        ),
        (
            "TargetTemperature", .targetTemperature,
            CharacteristicMetadata(format: .float, unit: .celsius, minimum: 10, maximum: 38, step: 0.1)
        ),
        ("Hue", .hue, CharacteristicMetadata(format: .float, unit: .arcdegrees, minimum: 0, maximum: 360, step: 1)),
        ("Name", .configuredName, CharacteristicMetadata(format: .string)),
        ("data", vendor, CharacteristicMetadata(format: .data)),
        ("vendor's switch", vendor, CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 1)),
        ("TargetFanState", .targetFanState, CharacteristicMetadata(format: .uint8, minimum: 0, maximum: 1)),
        ("AirParticulateSize", .airParticulateSize, CharacteristicMetadata(format: .uint8)),
    ]

    @Test(
        arguments: [
            ("2700K", 370), ("2700 k", 370), ("6500 Kelvin", 154), ("370", 370), ("153 kelvins", nil), ("50K", nil),
            ("K", nil), ("0K", nil), ("1e999K", nil), ("30000K", nil),
        ] as [(String, Int?)]
    )
    func colorTemperatureIsReadInKelvins(text: String, mireds: Int?) throws {
        let definition = try #require(Catalog.characteristic(.colorTemperature))
        let value = CharacteristicDescription(definition).allowedValue(of: text)
        #expect(value == mireds.map { CharacteristicValue.integer($0) })
        // Other numbers have no such unit.
        let brightness = try #require(Catalog.characteristic(.brightness))
        #expect(CharacteristicDescription(brightness).allowedValue(of: "20000K") == nil)
    }

    @Test(arguments: [(140.0, -140.0), (1, -0.999_999_999_999_99), (0, 0), (-5, 400), (1e300, 1e301), (50, 1e308)])
    func rangeOfADeviceIsNotTrusted(minimum: Double, maximum: Double) throws {
        var definition = CharacteristicDescription(try #require(Catalog.characteristic(.colorTemperature)))
        definition.metadata.minimum = JSONNumber(minimum)
        definition.metadata.maximum = JSONNumber(maximum)
        #expect(!definition.allowedValues.contains("kelvins"))
        _ = definition.allowedValue(of: "5K")
    }

    @Test func kelvinsOfAMessageAreAllowed() throws {
        var definition = CharacteristicDescription(try #require(Catalog.characteristic(.colorTemperature)))
        definition.metadata.minimum = 153
        definition.metadata.maximum = 333
        #expect(definition.allowedValues == "a whole number from 153 to 333, or kelvins such as 4100K")
        #expect(definition.allowedValue(of: "4100K") == .integer(244))
        #expect(definition.allowedValue(of: "2700K") == nil)
    }

    static let texts = [
        "on", "ON", "off", "yes", "No", "true", "True", "FALSE", "open", "close", "Closed", "lock", "0", "1", "2",
        "1.0", "01", "+1", "-1", ".5", "1.", "8e1", " 50", "50", "50%", "50 %", "50 percent", "50 s", "21.5", "21.5 °C",
        "21.5C", "21.5 celsius", "21.5°", "21.5 degrees", "21.5\u{202F}°C", "3 lx", "4 lux", "21,5", "500 mired",
        "0x10", "nan", "1e999", "null", "heat",
        "active", "in active", "auto", "manual", "", "AQID", "AQI=", "AQI", "1234", "1.50", "2.5", "10",
        String(repeating: "9", count: 129), String(repeating: "A", count: 4_000_000),
    ]

    static let vendor = CharacteristicType(HAPUUID(apple: 0xFFF0_0001))

    /// The texts that are accepted as values of each characteristic; all others of ``texts`` are refused.
    static let table = """
        On true: <on> <ON> <yes> <true> <True> <1> <1.0> <+1> <1.>
        On false: <off> <No> <FALSE> <0>
        Active 1: <on> <ON> <yes> <true> <True> <1> <1.0> <+1> <1.> <active>
        Active 0: <off> <No> <FALSE> <0> <in active>
        TargetDoorState 0: <open> <0>
        TargetDoorState 1: <Closed> <1> <1.0> <+1> <1.>
        TargetHeatingCoolingState 0: <off> <0>
        TargetHeatingCoolingState 1: <1> <1.0> <+1> <1.> <heat>
        TargetHeatingCoolingState 2: <2>
        TargetHeatingCoolingState 3: <auto>
        uint8 0: <0>
        uint8 1: <1> <1.0> <+1> <1.>
        uint8 2: <2>
        uint8 80: <8e1>
        uint8 50: < 50> <50> <50%> <50 %> <50 percent> <50 s>
        uint8 3: <3 lx>
        uint8 4: <4 lux>
        uint8 10: <10>
        Brightness 0: <0>
        Brightness 1: <1> <1.0> <+1> <1.>
        Brightness 2: <2>
        Brightness 80: <8e1>
        Brightness 50: < 50> <50> <50%> <50 %> <50 percent>
        Brightness 10: <10>
        TargetTemperature 21.5: <21.5> <21.5 °C> <21.5C> <21.5 celsius> <21.5°> <21.5 degrees> <21.5 °C>
        TargetTemperature 10: <10>
        Hue 0: <0>
        Hue 1: <1> <1.0> <+1> <1.>
        Hue 2: <2>
        Hue 80: <8e1>
        Hue 50: < 50> <50>
        Hue 10: <10>
        data 3 bytes: <true>
        data 3 bytes: <True>
        data 3 bytes: <open>
        data 3 bytes: <lock>
        data 3 bytes: <0x10>
        data 3 bytes: <null>
        data 3 bytes: <heat>
        data 3 bytes: <auto>
        data 0 bytes: <>
        data 3 bytes: <AQID>
        data 2 bytes: <AQI=>
        data 3 bytes: <1234>
        vendor's switch 1: <on> <ON> <yes> <true> <True> <1> <1.0> <+1> <1.>
        vendor's switch 0: <off> <No> <FALSE> <0>
        TargetFanState 0: <0> <manual>
        TargetFanState 1: <1> <1.0> <+1> <1.> <auto>
        AirParticulateSize 0: <0> <2.5>
        AirParticulateSize 1: <1> <1.0> <+1> <1.> <10>
        AirParticulateSize 2: <2>
        AirParticulateSize 80: <8e1>
        AirParticulateSize 50: < 50> <50>
        """

    @Test
    func textHasOneValuePerCharacteristic() {
        var lines: [String] = []
        for kind in Self.kinds {
            let words = CharacteristicDescription(type: kind.type, metadata: kind.metadata)
            var rows: [(value: CharacteristicValue, texts: [String])] = []
            for text in Self.texts {
                guard let value = words.allowedValue(of: text),
                    kind.metadata.format != .string || value != .string(text)
                else {
                    continue
                }
                if let row = rows.firstIndex(where: { $0.value == value }) {
                    rows[row].texts.append("<\(text.prefix(12))>")
                } else {
                    rows.append((value, ["<\(text.prefix(12))>"]))
                }
            }
            lines += rows.map { "\(kind.name) \($0.value): \($0.texts.joined(separator: " "))" }
        }
        #expect(lines.joined(separator: "\n") == Self.table)
    }

    @Test(
        arguments: [
            (.targetDoorState, 1, "Closed"), (.targetDoorState, true, "Closed"), (.active, 0, "Inactive"),
            (.airParticulateSize, 1, 1), (.on, true, true), (.brightness, 50, 50), (.configuredName, "1.50", "1.50"),
            (.setupEndpoints, .data([1, 2]), "AQI="),
        ] as [(CharacteristicType, CharacteristicValue, CharacteristicValue)]
    )
    func writtenValueIsReadBack(
        type: CharacteristicType,
        value: CharacteristicValue,
        written: CharacteristicValue
    ) throws {
        let metadata = try #require(Catalog.characteristic(type)).metadata
        let words = CharacteristicDescription(type: type, metadata: metadata)
        #expect(words.documentValue(value) == written.json)
        let text = words.documentValue(value).string ?? written.description
        #expect(words.value(of: text) == metadata.value(from: value, isStrict: true))
    }
}
