import AccessoryModel
import HAPCore
import TestSupport
import Testing

/// Tests when events are sent, in simulated time.
///
/// HAP: §14, §0 (timing)
@Suite struct EventQueueTests {
    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private func event(_ iid: UInt64, _ value: Int?) -> PendingEvent {
        PendingEvent(
            id: CharacteristicID(aid: .primary, iid: InstanceID(iid) ?? .accessoryInformation),
            value: value.map { .integer($0) }
        )
    }

    /// Returns an event whose value has this number of bytes in JSON.
    private func event(_ iid: UInt64, bytes: Int) -> PendingEvent {
        var event = event(iid, nil)
        event.value = .string(String(repeating: "x", count: bytes - 2))
        return event
    }

    @Test func largestValueIsSentAlone() {
        var queue = EventQueue()
        let largest = event(2, bytes: ResponseBudget.maximumValueBytes)
        queue.enqueue(largest, isUrgent: false)
        queue.enqueue(event(3, bytes: 1_000), isUrgent: false)
        #expect(queue.dequeueDue(at: at(0)) == [largest])
        #expect(queue.dequeueDue(at: at(1_000)) == [event(3, bytes: 1_000)])
    }

    @Test func eventThatDoesNotFitBlocksOnlyItsCharacteristic() {
        var queue = EventQueue()
        let (large, later, press) = (event(2, bytes: 400_000), event(2, bytes: 100), event(3, bytes: 100))
        for event in [large, later, press] {
            queue.enqueue(event, isUrgent: true)
        }
        #expect(queue.dequeueDue(at: at(0), availableBytes: 256 << 10) == [press])
        #expect(queue.dequeueDue(at: at(0), availableBytes: 256 << 10) == [])
        #expect(queue.dequeueDue(at: at(0)) == [large, later])
    }

    @Test func withoutEventsNothingIsDue() {
        var queue = EventQueue()
        #expect(queue.deadline == nil)
        #expect(queue.dequeueDue(at: at(0)).isEmpty)
    }

    @Test func firstChangeIsSentAtOnce() throws {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        #expect(try #require(queue.deadline) <= at(-1_000_000))
        #expect(queue.dequeueDue(at: at(0)) == [event(2, 1)])
        #expect(queue.deadline == nil)
        #expect(queue.dequeueDue(at: at(5_000)).isEmpty)
    }

    @Test func nextMessageIsSentASecondAfterTheLast() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        #expect(queue.dequeueDue(at: at(100)).count == 1)
        queue.enqueue(event(2, 2), isUrgent: false)
        #expect(queue.deadline == at(1_100))
        #expect(queue.dequeueDue(at: at(1_099)).isEmpty)
        #expect(queue.dequeueDue(at: at(1_100)) == [event(2, 2)])
        queue.enqueue(event(2, 3), isUrgent: false)
        #expect(queue.deadline == at(2_100))
        #expect(queue.dequeueDue(at: at(9_000)) == [event(2, 3)])
    }

    @Test func eachCharacteristicIsSentOnceWithItsLatestValueInOrderOfFirstChange() {
        var queue = EventQueue()
        queue.enqueue(event(9, 0), isUrgent: false)
        _ = queue.dequeueDue(at: at(0))
        for (iid, value) in [(2, 1), (3, 1), (2, 2), (4, 1), (2, nil), (3, 5)] as [(UInt64, Int?)] {
            queue.enqueue(event(iid, value), isUrgent: false)
        }
        #expect(queue.dequeueDue(at: at(1_000)) == [event(2, nil), event(3, 5), event(4, 1)])
    }

    @Test func eventsBeyondOneMessageAreSentWithTheNext() {
        let large = CharacteristicValue.data([UInt8](repeating: 1, count: 2 << 20))
        let medium = CharacteristicValue.data([UInt8](repeating: 1, count: 100_000))
        var queue = EventQueue()
        for iid in 2...20 as ClosedRange<UInt64> {
            let id = CharacteristicID(aid: .primary, iid: InstanceID(iid) ?? .accessoryInformation)
            queue.enqueue(PendingEvent(id: id, value: iid == 2 ? large : medium), isUrgent: iid == 20)
        }
        // The first event alone exceeds the limit of a message with several events.
        #expect(queue.dequeueDue(at: at(0), availableBytes: 1 << 20).map { $0.id.iid.rawValue } == Array(3...9))
        #expect(queue.dequeueDue(at: at(0)).map { $0.id.iid.rawValue } == [2])
        #expect(queue.dequeueDue(at: at(0), availableBytes: 300_000).map { $0.id.iid.rawValue } == [10, 11])
        #expect(queue.dequeueDue(at: at(0)).map { $0.id.iid.rawValue } == Array(12...18))
        #expect(queue.dequeueDue(at: at(0)).map { $0.id.iid.rawValue } == [19, 20])
        #expect(queue.deadline == nil)
    }

    @Test func buttonPressIsSentAtOnceWithQueuedEvents() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        _ = queue.dequeueDue(at: at(0))
        queue.enqueue(event(2, 2), isUrgent: false)
        queue.enqueue(event(7, 0), isUrgent: true)
        #expect(queue.dequeueDue(at: at(1)) == [event(2, 2), event(7, 0)])
        queue.enqueue(event(2, 3), isUrgent: false)
        #expect(queue.deadline == at(1_001))
    }

    @Test func everyPressIsSent() {
        var queue = EventQueue()
        queue.enqueue(event(7, 0), isUrgent: true)
        queue.enqueue(event(7, 0), isUrgent: true)
        queue.enqueue(event(7, 1), isUrgent: true)
        #expect(queue.dequeueDue(at: at(0)) == [event(7, 0), event(7, 0), event(7, 1)])
    }

    @Test func unsubscribedEventsAreDropped() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        queue.enqueue(event(3, 1), isUrgent: false)
        queue.drop(event(2, nil).id)
        queue.drop(event(8, nil).id)
        #expect(queue.dequeueDue(at: at(0)) == [event(3, 1)])
        queue.enqueue(event(3, 2), isUrgent: false)
        queue.drop(event(3, nil).id)
        #expect(queue.deadline == nil)
        #expect(queue.dequeueDue(at: at(5_000)).isEmpty)
    }

    @Test func droppedPressLeavesTheDeadlineUnchanged() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        _ = queue.dequeueDue(at: at(0))
        queue.enqueue(event(2, 2), isUrgent: false)
        queue.enqueue(event(7, 0), isUrgent: true)
        queue.drop(event(7, nil).id)
        #expect(queue.deadline == at(1_000))
        #expect(queue.dequeueDue(at: at(999)).isEmpty)
        #expect(queue.dequeueDue(at: at(1_000)) == [event(2, 2)])
    }

    @Test func newest64QueuedPressesAreRetained() {
        for count in [64, 65, 200] {
            var queue = EventQueue()
            queue.enqueue(event(2, 1), isUrgent: false)
            for number in 0..<count {
                queue.enqueue(event(7, number), isUrgent: true)
            }
            #expect(queue.dequeueDue(at: at(0)) == [event(2, 1)] + (count - 64..<count).map { event(7, $0) })
        }
    }

    @Test func changesDoNotCountAsPresses() {
        var queue = EventQueue()
        for iid in 2..<200 {
            queue.enqueue(event(UInt64(iid), 0), isUrgent: false)
        }
        queue.enqueue(event(1_000, 0), isUrgent: true)
        #expect(queue.dequeueDue(at: at(0)).count == 199)
    }

    @Test func evictedPressLeavesTheDeadlineUnchanged() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        _ = queue.dequeueDue(at: at(0))
        queue.enqueue(event(2, 2), isUrgent: false)
        queue.enqueue(event(8, 0), isUrgent: true)
        for number in 0..<64 {
            queue.enqueue(event(7, number), isUrgent: true)
        }
        queue.drop(event(7, nil).id)
        #expect(queue.deadline == at(1_000))
    }

    @Test func deadlineSaturatesAtTheEndOfTheClock() {
        var queue = EventQueue()
        queue.enqueue(event(2, 1), isUrgent: false)
        _ = queue.dequeueDue(at: MonotonicInstant(nanoseconds: .max))
        queue.enqueue(event(2, 2), isUrgent: false)
        #expect(queue.deadline == MonotonicInstant(nanoseconds: .max))
    }

    @Test(arguments: 0..<50)
    func queueMatchesTheNaiveQueue(seed: UInt64) {
        // With even seeds, so many events wait that the queue uses its index instead of a linear search.
        let isLong = seed.isMultiple(of: 2)
        let others = isLong ? 10...60 : 2...5 as ClosedRange<UInt64>
        var generator = SeededRandom(seed: seed)
        var queue = EventQueue()
        var naive = NaiveEventQueue()
        var time: Int64 = 0
        for _ in 0..<400 {
            time += Int64.random(in: 0...400, using: &generator)
            let isLikeMost = isLong && Int.random(in: 0..<10, using: &generator) > 0
            switch isLikeMost ? 0 : Int.random(in: 0..<8, using: &generator) {
            case 0..<4:
                let event = event(
                    UInt64.random(in: others, using: &generator),
                    Int.random(in: 0...9, using: &generator)
                )
                queue.enqueue(event, isUrgent: false)
                naive.history.append(.init(event: event, isUrgent: false))
            case 4:
                let event = event(UInt64.random(in: 6...7, using: &generator), Int.random(in: 0...2, using: &generator))
                queue.enqueue(event, isUrgent: true)
                naive.history.append(.init(event: event, isUrgent: true))
            case 5:
                let id = event(UInt64.random(in: 2...others.upperBound + 2, using: &generator), nil).id
                queue.drop(id)
                naive.history.removeAll { $0.event.id == id }
                #expect(queue.pendingIDs(among: [id]).isEmpty)
            default:
                #expect((queue.deadline.map { $0 <= at(time) } ?? false) == naive.isDue(at: at(time)))
                #expect(queue.dequeueDue(at: at(time)) == naive.takeDue(at: at(time)))
            }
        }
    }
}
