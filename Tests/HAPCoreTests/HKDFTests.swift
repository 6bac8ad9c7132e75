import HAPCore
import TestSupport
import Testing

struct HKDFTests {
    @Test(arguments: Vectors.all.hkdf.cases)
    func derivedKeysMatchTheVectors(_ vector: Vectors.HKDF.Case) {
        let salt = vector.saltHex.map { [UInt8](hex: $0) } ?? Array((vector.salt ?? "").utf8)
        var key = [UInt8](repeating: 0, count: vector.length)
        key.withUnsafeMutableBytes { key in
            [UInt8](hex: vector.ikm)
                .withUnsafeBytes { input in
                    HKDF.derive(from: input, salt: salt, info: Array(vector.info.utf8), into: key)
                }
        }
        #expect(key.hex == vector.okm)
    }

    @Test(arguments: purposes)
    func purposesHaveTheSaltAndInfoOfTheVectors(_ name: String, purpose: KeyPurpose) throws {
        let vector = try #require(Vectors.all.hkdf.cases.first { $0.name == name })
        #expect(HKDF.key(for: purpose, from: SecretBytes(hex: vector.ikm)).hex == vector.okm)
    }

    @Test func keyMayOverwriteItsInput() throws {
        let vector = try #require(Vectors.all.hkdf.cases.first { $0.name == "session key accessory to controller" })
        var memory = SecretBytes(hex: vector.ikm)
        memory.withMutableBytes { memory in
            HKDF.derive(.accessoryToController, from: UnsafeRawBufferPointer(memory), into: memory)
        }
        #expect(memory.hex == vector.okm)
    }

    @Test func twoKeysOfOneSaltMayOverwriteTheirInput() throws {
        let cases = Vectors.all.hkdf.cases
        let first = try #require(cases.first { $0.name == "session key accessory to controller" })
        let second = try #require(cases.first { $0.name == "session key controller to accessory" })
        #expect(first.ikm == second.ikm)
        var one = SecretBytes(hex: first.ikm)
        var other = SecretBytes(hex: first.ikm)
        one.withMutableBytes { one in
            other.withMutableBytes { other in
                HKDF.derive(
                    (.accessoryToController, .controllerToAccessory),
                    from: UnsafeRawBufferPointer(one),
                    into: (one, other)
                )
            }
        }
        #expect(one.hex == first.okm)
        #expect(other.hex == second.okm)
    }

    private static let purposes: [(String, KeyPurpose)] = [
        ("Pair Setup encryption key", .pairSetupMessages),
        ("controller signing material (iOSDeviceX)", .pairSetupControllerSignature),
        ("accessory signing material (AccessoryX)", .pairSetupAccessorySignature),
        ("Pair Verify encryption key", .pairVerifyMessages),
        ("session key accessory to controller", .accessoryToController),
        ("session key controller to accessory", .controllerToAccessory),
    ]
}
