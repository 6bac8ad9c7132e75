import FuzzHarness
import HAPCore
import TestSupport

/// The management of pairings, both roles.
enum PairingsTarget: FuzzTarget {
    static let name = "pairings"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [
            "list": [3, 0],
            "add-and-remove": [0, 1, 0x85, 0, 2, 5, 0, 2, 0],
            "full": [255, 1, 0x7E, 2, 1, 1, 0x7E],
            "guest": [3, 6, 1, 0, 1, 9, 2, 1],
            "last-admin": [2, 2, 3, 2, 0, 0],
            "store-fails": [0, 7, 1, 5, 2, 0],
        ]
        for kind in UInt8(0)..<8 {
            let change: [UInt8] = [kind, 1, 1, 1, 32] + [UInt8](repeating: 3, count: 32)
            seeds["add-\(kind)"] = [1, 3, 0, 9] + change
            seeds["answer-\(kind)"] = [3, 0, 8] + change
        }
        let vectors = Vectors.all.pairings
        for (name, hex) in [("add", vectors.add), ("remove", vectors.remove), ("list", vectors.list)] {
            let bytes = [UInt8](hex: hex)
            seeds["raw-\(name)"] = [1, 5, UInt8(bytes.count)] + bytes
        }
        for (name, hex) in [("list", vectors.listResponse), ("full", vectors.maxPeers)] {
            let bytes = [UInt8](hex: hex)
            seeds["raw-answer-\(name)"] = [1, 8, 3, UInt8(bytes.count)] + bytes
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        var conversation = PairingsConversation(&source)
        conversation.run(&source)
    }
}
