// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the vectors, where A and a are two things.

import Foundation

/// The protocol's test vectors, as `vectors.json` holds them.
///
/// Byte strings are hexadecimal texts.
///
/// HAP: §28
package struct Vectors: Decodable, Sendable {
    package let srp: SRP
    package let hkdf: HKDF
    package let tlv8: TLV8
    package let frames: Frames
    package let pairSetup: PairSetup
    package let pairVerify: PairVerify
    package let session: Session
    package let pairings: Pairings

    /// All vectors, which are read once.
    ///
    /// Tests that use them cannot run without them.
    package static let all: Vectors = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.json")
        do {
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        } catch {
            preconditionFailure("the vectors cannot be read: \(error)")
        }
    }()
}

extension Vectors {
    package struct SRP: Decodable, Sendable {
        package let N: String
        package let k: String
        package let cases: [Case]

        package struct Case: Decodable, Sendable, CustomStringConvertible {
            package let name: String
            package let username: String
            package let password: String
            package let salt: String
            package let a: String
            package let b: String
            package let x: String
            package let v: String
            package let A: String
            package let B: String
            package let u: String
            package let S: String
            package let K: String
            package let M1: String
            package let M2: String
            package let paddedVariant: Variant?

            package var description: String { name }
        }

        package struct Variant: Decodable, Sendable {
            package let K: String
            package let M1: String
            package let M2: String
        }

        /// The case with this name.
        package subscript(name: String) -> Case {
            guard let found = cases.first(where: { $0.name == name }) else {
                preconditionFailure("there is no SRP case \(name)")
            }
            return found
        }
    }

    package struct HKDF: Decodable, Sendable {
        package let cases: [Case]

        package struct Case: Decodable, Sendable, CustomStringConvertible {
            package let name: String
            package let ikm: String
            package let salt: String?
            package let saltHex: String?
            package let info: String
            package let length: Int
            package let okm: String

            package var description: String { name }
        }
    }

    package struct TLV8: Decodable, Sendable {
        package let valid: [Valid]
        package let malformed: [Malformed]

        package struct Item: Decodable, Sendable {
            package let type: UInt8
            package let value: String
        }

        package struct Valid: Decodable, Sendable, CustomStringConvertible {
            package let name: String
            package let items: [Item]
            package let encoded: String

            package var description: String { name }
        }

        package struct Malformed: Decodable, Sendable, CustomStringConvertible {
            package let name: String
            package let encoded: String

            package var description: String { name }
        }
    }

    package struct Frames: Decodable, Sendable {
        package let cases: [Case]

        package struct Case: Decodable, Sendable, CustomStringConvertible {
            package let length: Int
            package let key: String
            package let firstCounter: UInt64
            package let nextCounter: UInt64?
            package let plaintext: String?
            package let frames: [String]
            package let mustFail: Bool?

            package var description: String {
                "\(length) bytes from counter \(firstCounter)" + (mustFail == true ? ", must fail" : "")
            }
        }
    }

    package struct PairSetup: Decodable, Sendable {
        package let setupCode: String
        package let controllerPairingID: String
        package let accessoryPairingID: String
        package let controllerLTSKSeed: String
        package let controllerLTPK: String
        package let accessoryLTSKSeed: String
        package let accessoryLTPK: String
        package let srpCase: String
        package let M1: String
        package let M2: String
        package let M3: String
        package let M4: String
        package let encryptionKey: String
        package let iOSDeviceX: String
        package let iOSDeviceInfo: String
        package let iOSDeviceSignature: String
        package let M5subTLV: String
        package let M5encrypted: String
        package let M5: String
        package let accessoryX: String
        package let accessoryInfo: String
        package let accessorySignature: String
        package let M6subTLV: String
        package let M6encrypted: String
        package let M6: String
        package let M4wrongCode: String
        package let M2alreadyPaired: String
        package let M2tooManyTries: String
        package let M2busy: String
        package let M6badSignature: String
    }

    package struct PairVerify: Decodable, Sendable {
        package let controllerEphemeralSecret: String
        package let controllerEphemeralPublic: String
        package let accessoryEphemeralSecret: String
        package let accessoryEphemeralPublic: String
        package let sharedSecret: String
        package let encryptionKey: String
        package let M1: String
        package let accessoryInfo: String
        package let accessorySignature: String
        package let M2subTLV: String
        package let M2encrypted: String
        package let M2: String
        package let iOSDeviceInfo: String
        package let iOSDeviceSignature: String
        package let M3subTLV: String
        package let M3encrypted: String
        package let M3: String
        package let M4: String
        package let M4failure: String
        package let accessoryToControllerKey: String
        package let controllerToAccessoryKey: String
    }

    package struct Session: Decodable, Sendable {
        package let request: Message
        package let response: Message
        package let event: Message

        package struct Message: Decodable, Sendable {
            package let text: String
            package let counter: UInt64
            package let frames: [String]
        }
    }

    package struct Pairings: Decodable, Sendable {
        package let list: String
        package let listResponse: String
        package let add: String
        package let remove: String
        package let ok: String
        package let notAdmin: String
        package let maxPeers: String
        package let unknown: String
    }
}
