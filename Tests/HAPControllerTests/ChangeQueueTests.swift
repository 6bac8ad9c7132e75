import AccessoryModel
import AsyncPrimitives
import HAPController
import HAPCore
import Testing

@Suite("The queue of changes for a watch")
struct ChangeQueueTests {
    private func id(_ number: UInt64) -> CharacteristicID {
        CharacteristicID(aid: .primary, iid: InstanceID(number) ?? .accessoryInformation)
    }

    private func drainedChanges(_ queue: inout ChangeQueue) -> [AccessoryChange] {
        var changes: [AccessoryChange] = []
        while let change = queue.next() {
            changes.append(change)
        }
        return changes
    }

    private func expectCapacity(
        _ expected: Bool,
        for change: AccessoryChange,
        in queue: inout ChangeQueue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let hasRoom = queue.append(change)
        #expect(hasRoom == expected, sourceLocation: sourceLocation)
    }

    @Test("Up to the limit, all changes are returned in their order")
    func queueKeepsAllChangesUpToTheLimit() {
        var queue = ChangeQueue(limit: 4)
        let changes: [AccessoryChange] = [.connected, .value(id(9), 1), .value(id(9), 2), .value(id(9), 1)]
        for change in changes {
            expectCapacity(true, for: change, in: &queue)
        }
        #expect(drainedChanges(&queue) == changes)
    }

    @Test("Beyond the limit, the latest change of each characteristic stays, in order of arrival")
    func fullQueueKeepsTheLatestChangePerCharacteristic() {
        var queue = ChangeQueue(limit: 4)
        for change in [.connected, .value(id(9), 1), .value(id(10), 5), .value(id(9), 2), .value(id(9), 3)]
            as [AccessoryChange]
        {
            expectCapacity(true, for: change, in: &queue)
        }
        #expect(drainedChanges(&queue) == [.connected, .value(id(10), 5), .value(id(9), 3)])
    }

    @Test("The queue never has more than twice as many changes as there are characteristics")
    func queueIsLimitedToTwiceTheCharacteristics() {
        var queue = ChangeQueue(limit: 8)
        for round in 0..<1_000 {
            for number in 1...20 as ClosedRange<UInt64> {
                expectCapacity(true, for: .value(id(number), .integer(round)), in: &queue)
                #expect(queue.count <= 42)
            }
        }
        var latest: [CharacteristicID: AccessoryChange] = [:]
        for case .value(let id, let value) in drainedChanges(&queue) {
            latest[id] = .value(id, value)
        }
        #expect(latest.count == 20)
        #expect(latest.allSatisfy { $0.value == .value($0.key, 999) })
        #expect(queue.next() == nil)
    }

    @Test("Large changes are reduced to the latest of each characteristic, or overflow the queue")
    func queueIsLimitedInBytes() {
        var queue = ChangeQueue(limit: 1_000, byteLimit: 100_000)
        let large = CharacteristicValue.data([UInt8](repeating: 7, count: 30_000))
        for _ in 0..<100 {
            for number in 1...2 as ClosedRange<UInt64> {
                expectCapacity(true, for: .value(id(number), large), in: &queue)
                #expect(queue.byteCount <= 100_000)
            }
        }
        expectCapacity(true, for: .value(id(3), large), in: &queue)
        expectCapacity(false, for: .value(id(4), large), in: &queue)
    }

    @Test("An overflowing queue ends the watch, but a single change always fits")
    func overflowingQueueEndsTheWatch() async throws {
        let mailbox = Mailbox(ChangeQueue(limit: 10, byteLimit: 1_000))
        let large = CharacteristicValue.data([UInt8](repeating: 7, count: 2_000))
        mailbox.send(.value(id(1), large))
        #expect(try await mailbox.next() == .value(id(1), large))
        mailbox.send(.value(id(1), 1))
        mailbox.send(.value(id(2), large))
        mailbox.send(.connected)
        for _ in 0..<2 {
            let error = await #expect(throws: ControllerError.self) { try await mailbox.next() }
            #expect(error?.code == .overflow)
        }
    }

    @Test("The cost of a change does not grow with the queue, and taken changes leave nothing behind")
    func costDoesNotGrowWithTheQueue() {
        var queue = ChangeQueue(limit: 4)
        let began = ContinuousClock.now
        for number in 1...50_000 as ClosedRange<UInt64> {
            expectCapacity(true, for: .value(id(number), 1), in: &queue)
        }
        for round in 2...4 {
            for number in 1...50_000 as ClosedRange<UInt64> {
                expectCapacity(true, for: .value(id(number), .integer(round)), in: &queue)
            }
        }
        #expect(queue.count == 50_000)
        let first = drainedChanges(&queue).first
        #expect(first == .value(id(1), 4))
        #expect(queue.byteCount == 0)
        // With quadratic cost this took hours.
        #expect(began.duration(to: .now) < .seconds(600))
    }
}
