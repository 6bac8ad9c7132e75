import HAPCore
import TestSupport

extension [UInt8] {
    /// Returns these bytes with a few of them changed, removed, doubled or cut off.
    func damaged(using generator: inout SeededRandom) -> [UInt8] {
        var bytes = self
        for _ in 0...Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
            let position = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(bytes[position], at: position)
            case 3: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            default: bytes.removeSubrange(position...)
            }
        }
        return bytes
    }
}
