import Foundation

/// The parts of the test vectors that concern setup codes.
struct SetupVectors: Decodable {
    struct Payload: Decodable {
        let setupCode: String?
        let setupID: String?
        let category: UInt8
        let ip: Bool
        let ble: Bool
        let paired: Bool
        let integer: UInt64
        let payload: String
    }

    struct Hash: Decodable {
        let setupID: String
        let deviceID: String
        let hash: String
        let sh: String
    }

    struct Codes: Decodable {
        let invalid: [String]
        let malformed: [String]
        let validExamples: [String]
    }

    let setupPayload: [Payload]
    let setupHash: [Hash]
    let setupCodes: Codes

    static func load() throws -> SetupVectors {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(components: "TestSupport", "vectors.json")
        return try JSONDecoder().decode(SetupVectors.self, from: Data(contentsOf: file))
    }
}
