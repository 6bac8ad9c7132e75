import HAPCore

/// Inputs that a hostile sender could send, made of valid ones.
enum HostileInput {
    /// Calls a body with each beginning of an input, the whole one last.
    static func truncations(of input: [UInt8], _ body: ([UInt8]) -> Void) {
        for count in 0...input.count { body(Array(input.prefix(count))) }
    }

    /// Calls a body with 10,000 inputs, each of which has one to eight changes; the same ones in each run.
    static func mutations(of seeds: [[UInt8]], count: Int = 10_000, _ body: ([UInt8]) -> Void) {
        var random = SeededRandom(seed: 0xA1B2)
        for _ in 0..<count {
            var input = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...8, using: &random) { mutate(&input, &random) }
            body(input)
        }
    }

    private static func mutate(_ input: inout [UInt8], _ random: inout SeededRandom) {
        guard let place = input.indices.randomElement(using: &random) else {
            input.append(UInt8.random(in: .min ... .max, using: &random))
            return
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: input[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: input[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
        case 3: input.remove(at: place)
        case 4: input.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        default:
            let end = min(place + Int.random(in: 1...16, using: &random), input.count)
            input.insert(contentsOf: input[place..<end], at: input.indices.randomElement(using: &random) ?? 0)
        }
    }
}
