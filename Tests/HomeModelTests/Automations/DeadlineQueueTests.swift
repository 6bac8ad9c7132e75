import HAPCore
import TestSupport
import Testing

@testable import HomeModel

/// Compares the queue with a linear search in a table.
struct DeadlineQueueTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func theNextDeadlineIsTheEarliest(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var queue = DeadlineQueue()
        var table: [DeadlineQueue.Key: WallInstant] = [:]
        for _ in 0..<20_000 {
            let part: DeadlineQueue.DeadlineKind = Bool.random(using: &generator) ? .end : .trigger
            let slot = Int(generator.next() % 40)
            switch generator.next() % 4 {
            case 0:
                queue.setDeadline(part, of: slot, to: nil)
                table[DeadlineQueue.Key(kind: part, index: slot)] = nil
            case 1:
                if let first = queue.first { table[first.key] = nil }
                queue.removeFirst()
            default:
                let instant = WallInstant(nanoseconds: Int64(generator.next() % 100))
                queue.setDeadline(part, of: slot, to: instant)
                table[DeadlineQueue.Key(kind: part, index: slot)] = instant
            }
            let earliest = table.min {
                ($0.value, $0.key.kind.rawValue, $0.key.index) < ($1.value, $1.key.kind.rawValue, $1.key.index)
            }
            guard queue.first?.key == earliest?.key, queue.first?.instant == earliest?.value else {
                Issue.record("\(String(describing: queue.first)) is not \(String(describing: earliest))")
                return
            }
        }
    }
}
