import FuzzHarness

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
        var random = SplitMix64(state: UInt64(number))
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

/// The generator SplitMix64, whose numbers depend only on its state.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0..<bound`; the bound is positive.
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
