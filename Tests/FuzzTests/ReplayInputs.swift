import FuzzHarness
import HAPCore

/// The inputs with which a target is replayed: its seeds, and then mutations that are the same in every run.
struct ReplayInputs {
    private let seeds: [(name: String, bytes: [UInt8])]
    private let mutationCount: Int

    /// The number of mutations of a target whose input takes milliseconds; the other targets have ``usualCount``.
    private static let expensive = ["pair-setup": 20, "pair-verify": 60, "server": 60, "srp": 20]
    private static let usualCount = 200

    init(_ target: any FuzzTarget.Type) {
        seeds = target.seeds.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
        mutationCount = Self.expensive[target.name] ?? Self.usualCount
    }

    var count: Int { seeds.count + mutationCount }

    /// Returns an input by its number in `0..<count`.
    subscript(number: Int) -> (origin: String, bytes: [UInt8]) {
        guard number >= seeds.count else { return ("the seed \(seeds[number].name)", seeds[number].bytes) }
        var random = SeededRandom(seed: UInt64(number))
        let first = seeds[random.below(seeds.count)]
        switch random.below(3) {
        case 0:
            var bytes = first.bytes
            for _ in 0...random.below(4) where !bytes.isEmpty {
                bytes[random.below(bytes.count)] ^= UInt8(random.below(255) + 1)
            }
            return ("the seed \(first.name) with other bytes", bytes)
        case 1:
            let ends = [random.below(first.bytes.count + 1), random.below(first.bytes.count + 1)].sorted()
            return ("the seed \(first.name) without a part", Array(first.bytes[..<ends[0]] + first.bytes[ends[1]...]))
        default:
            let second = seeds[random.below(seeds.count)]
            let head = first.bytes.prefix(random.below(first.bytes.count + 1))
            let tail = second.bytes.suffix(random.below(second.bytes.count + 1))
            return ("the seeds \(first.name) and \(second.name) joined", Array(head + tail))
        }
    }
}

extension SeededRandom {
    /// Returns a number in `0..<bound`; the bound is positive.
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
