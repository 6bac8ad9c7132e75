import FuzzHarness
import HAPCore
import TestSupport

/// Pair-setup, both roles against each other.
enum PairSetupTarget: FuzzTarget {
    static let name = "pair-setup"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [
            "honest": [0, 0, 0, 0, 0, 0, 0],
            "wrong-code": [4, 0, 0, 0, 0],
            "failed-before": [1, 5, 0, 0, 0, 0, 0, 0],
            "last-try": [5, 99, 0, 0, 0, 0],
            "too-many": [1, 100, 0, 0],
            "paired-twice": [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0],
            "store-fails": [1, 3, 0, 0, 13, 0, 0, 0, 0],
            "unusable-key": [0, 14, 1, 0, 0, 0, 0, 0, 0],
            "replayed": [0, 7, 0, 7, 0, 7, 0, 9, 2, 9, 4],
            "cancelled": [0, 0, 0, 15, 0, 0, 9, 0],
            "busy": [0, 14, 0, 0, 0],
        ]
        for kind in UInt8(0)..<8 {
            // The contents of M5 and M6, and M3 itself, with each kind of change.
            let change: [UInt8] = [kind, 1, 1, 1, 32] + [UInt8](repeating: 3, count: 32)
            seeds["m3-\(kind)"] = [0, 0, 0, 3] + change
            seeds["m5-\(kind)"] = [0, 0, 0, 0, 0, 5] + change
            seeds["m6-\(kind)"] = [0, 0, 0, 0, 0, 0, 5] + change
        }
        let setup = Vectors.all.pairSetup
        let messages = [setup.M1, setup.M3, setup.M5].map { [UInt8](hex: $0) }
        seeds["raw"] = [0] + messages.flatMap { ByteSource.raw(11, $0) }
        let responses = [setup.M2, setup.M4, setup.M6].map { [UInt8](hex: $0) }
        seeds["raw-answers"] = [0] + responses.flatMap { ByteSource.raw(12, $0) }
        let refusals = [setup.M2busy, setup.M2tooManyTries, setup.M4wrongCode, setup.M6badSignature]
        for (position, refusal) in refusals.enumerated() {
            seeds["raw-refusal-\(position)"] = [0] + ByteSource.raw(12, [UInt8](hex: refusal))
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        var conversation = PairSetupConversation(&source)
        conversation.run(&source)
    }
}
