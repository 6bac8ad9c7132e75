import AccessoryModel
import HAPController
import HAPCore
import Testing

@Suite("The changes that wait for one that watches")
struct ChangeQueueTests {
    private func id(_ number: UInt64) -> CharacteristicID {
        CharacteristicID(aid: .primary, iid: InstanceID(number) ?? .accessoryInformation)
    }

    private func drained(_ queue: inout ChangeQueue) -> [AccessoryChange] {
        var changes: [AccessoryChange] = []
        while let change = queue.next() {
            changes.append(change)
        }
        return changes
    }

    @Test("come out as they went in, up to the limit")
    func keepsAll() {
        var queue = ChangeQueue(limit: 4)
        let changes: [AccessoryChange] = [.connected, .value(id(9), 1), .value(id(9), 2), .value(id(9), 1)]
        for change in changes {
            queue.append(change)
        }
        #expect(drained(&queue) == changes)
    }

    @Test("beyond the limit are the latest of each characteristic, in the order in which they came")
    func keepsTheLatest() {
        var queue = ChangeQueue(limit: 4)
        for change in [.connected, .value(id(9), 1), .value(id(10), 5), .value(id(9), 2), .value(id(9), 3)]
            as [AccessoryChange]
        {
            queue.append(change)
        }
        #expect(drained(&queue) == [.connected, .value(id(10), 5), .value(id(9), 3)])
    }

    @Test("never are more than twice as many as there are characteristics, however many come")
    func isBounded() {
        var queue = ChangeQueue(limit: 8)
        for round in 0..<1_000 {
            for number in 1...20 as ClosedRange<UInt64> {
                queue.append(.value(id(number), .integer(round)))
                #expect(queue.count <= 42)
            }
        }
        var latest: [CharacteristicID: AccessoryChange] = [:]
        for case .value(let id, let value) in drained(&queue) {
            latest[id] = .value(id, value)
        }
        #expect(latest.count == 20)
        #expect(latest.allSatisfy { $0.value == .value($0.key, 999) })
        #expect(queue.next() == nil)
    }
}
