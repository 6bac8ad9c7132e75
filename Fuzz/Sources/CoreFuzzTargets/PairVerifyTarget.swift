import FuzzHarness
import HAPCore
import TestSupport

/// Pair-verify, both roles against each other.
enum PairVerifyTarget: FuzzTarget {
    static let name = "pair-verify"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [
            "honest": [0, 0, 0, 0, 0],
            "unpaired": [1, 0, 0, 0, 0],
            "stranger": [2, 0, 0, 0, 0],
            "again": [0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0],
            "replayed": [0, 6, 0, 6, 8, 0, 8, 2, 9, 1],
            "removed-meanwhile": [0, 0, 0, 11, 1, 0, 0],
            // A point of small order.
            "zero-key": [0, 10, 37, 6, 1, 1, 3, 32] + [UInt8](repeating: 0, count: 32),
        ]
        for kind in UInt8(0)..<8 {
            let change: [UInt8] = [kind, 1, 1, 1, 32] + [UInt8](repeating: 3, count: 32)
            seeds["m2-\(kind)"] = [0, 0, 2] + change
            seeds["m3-\(kind)"] = [0, 0, 0, 2] + change
            seeds["m2-sealed-\(kind)"] = [0, 0, 4] + change
            seeds["m3-sealed-\(kind)"] = [0, 0, 0, 4] + change
        }
        let verify = Vectors.all.pairVerify
        for (name, hex) in [("m1", verify.M1), ("m3", verify.M3)] {
            let bytes = [UInt8](hex: hex)
            seeds["raw-\(name)"] = [0, 10, UInt8(bytes.count)] + bytes
        }
        for (name, hex) in [("m2", verify.M2), ("m4", verify.M4), ("refusal", verify.M4failure)] {
            let bytes = [UInt8](hex: hex)
            seeds["raw-\(name)"] = [0, 11, 0, UInt8(bytes.count)] + bytes
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        var conversation = PairVerifyConversation(&source)
        conversation.run(&source)
    }
}
