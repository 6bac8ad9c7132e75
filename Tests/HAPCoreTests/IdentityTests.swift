import HAPCore
import TestSupport
import Testing

struct IdentityTests {
    @Test func vectorSetupCodesAreClassified() throws {
        let codes = try SetupVectors.load().setupCodes
        #expect(codes.invalid.count == 12)
        for text in codes.invalid + codes.malformed {
            #expect(SetupCode(text) == nil)
        }
        for text in codes.validExamples {
            #expect(SetupCode(text)?.text == text)
        }
    }

    @Test(arguments: [
        "", "101-48-0055", "101-48-00", "101 48 005", "101-48+005", "101-48-00a", "１01-48-005", "101-48-005\0",
        "-101-48-05",
    ])
    func malformedSetupCodeIsRefused(text: String) {
        #expect(SetupCode(text) == nil)
    }

    @Test func setupCodeIsANumberAndIsNotPrinted() throws {
        let code = try #require(SetupCode("031-45-154"))
        #expect(code.number == 3_145_154)
        #expect(SetupCode("03145154") == code)
        #expect(SetupCode("3145154") == nil)
        #expect(SetupCode("12345678") == nil)
        #expect(SetupCode("031-45154") == nil)
        #expect(!"\(code)".contains("031"))
    }

    @Test func randomIdentitiesAreWellFormed() {
        var generator = SeededRandom(seed: 5)
        for _ in 0..<1000 {
            let code = SetupCode.random(using: &generator)
            #expect(SetupCode(code.text) == code)
            let setupID = SetupID.random(using: &generator)
            #expect(SetupID(setupID.text) == setupID)
            let deviceID = DeviceID.random(using: &generator)
            #expect(DeviceID(deviceID.text) == deviceID)
        }
    }

    @Test(
        arguments: [
            ("3E", 0x3E), ("3e", 0x3E), ("0000003E", 0x3E), ("0000003E-0000-1000-8000-0026BB765291", 0x3E), ("0", 0),
            ("0000003e-0000-1000-8000-0026bb765291", 0x3E), ("FFFFFFFF", .max),
            ("ffffffff-0000-1000-8000-0026BB765291", .max),
        ] as [(String, UInt32)]
    )
    func anAppleTypeHasALongAndAShortForm(text: String, short: UInt32) {
        let uuid = HAPUUID(text)
        #expect(uuid == HAPUUID(apple: short))
        #expect(uuid?.apple == short)
        #expect(uuid?.shortened == String(short, radix: 16, uppercase: true))
    }

    @Test func otherTypesAreEncodedInFull() throws {
        let text = "7E536242-341C-4862-BE90-272CE15BD633"
        let uuid = try #require(HAPUUID(text.lowercased()))
        #expect(uuid.apple == nil)
        #expect(uuid.shortened == text)
        #expect(uuid.description == text)
        #expect(HAPUUID("0000003E-0000-1000-8000-0026BB765292")?.apple == nil)
        #expect(HAPUUID("0000003E-0001-1000-8000-0026BB765291")?.apple == nil)
    }

    @Test(arguments: [
        "", "-", "G", "123456789", "3E-", "-3E", "0000003E00001000800000 26BB765291",
        "0000003E000010008000" + "0026BB765291",
        "0000003E-0000-1000-8000-0026BB76529", "0000003E-0000-1000-8000-0026BB7652911",
        "0000003E-0000-1000-80000026BB765291-",
        "000003E-00000-1000-8000-0026BB765291", "{0000003E-0000-1000-8000-0026BB765291",
        "0000003E_0000_1000_8000_0026BB765291",
        "--------", "00000000-0000", "é",
    ])
    func malformedUUIDIsRefused(text: String) {
        #expect(HAPUUID(text) == nil)
    }

    @Test func aDeviceIDIsUpperCase() {
        #expect(DeviceID("0a:1b:2c:3d:4e:5f")?.text == "0A:1B:2C:3D:4E:5F")
    }

    @Test(arguments: [
        "", "0A:1B:2C:3D:4E", "0A:1B:2C:3D:4E:5F:60", "0A-1B-2C-3D-4E-5F", "0A:1B:2C:3D:4E:5G", "0A:1B:2C:3D:4E:5F ",
        "0A1:B:2C:3D:4E:5F", "0A:1B:2C:3D:4E:ß",
    ])
    func malformedDeviceIDIsRefused(text: String) {
        #expect(DeviceID(text) == nil)
    }

    @Test(arguments: ["", "ABC", "ABCDE", "abcd", "AB-D", "ÄBC", "AB D"])
    func malformedSetupIDIsRefused(text: String) {
        #expect(SetupID(text) == nil)
    }

    @Test(arguments: [(0, false), (1, true), (35, true), (36, true), (37, false), (255, false)])
    func controllerIdentifierHas1To36Bytes(count: Int, isValid: Bool) {
        let bytes = [UInt8](repeating: 0xFF, count: count)
        #expect(ControllerIdentifier(bytes)?.bytes == (isValid ? bytes : nil))
        #expect((ControllerIdentifier(String(repeating: "a", count: count)) != nil) == isValid)
    }

    @Test func controllerIdentifierPrintsNoControlCharacters() {
        #expect(ControllerIdentifier([0x41, 0x0A, 0x1B, 0xFF, 0x7F])?.description == "A????")
        #expect(ControllerIdentifier("a") != ControllerIdentifier("A"))
    }

    @Test func noIDIsZero() {
        #expect(AccessoryID(0) == nil)
        #expect(InstanceID(0) == nil)
        #expect(CharacteristicID(0, 1) == nil)
        #expect(CharacteristicID(1, 0) == nil)
        #expect(CharacteristicID(1, .max)?.description == "1.18446744073709551615")
    }

    @Test func characteristicsAreOrderedByAccessoryFirst() {
        let ids = [(2, 1), (1, 10), (1, 9)].compactMap { CharacteristicID($0, $1) }
        #expect(ids.sorted().map(\.description) == ["1.9", "1.10", "2.1"])
    }
}
