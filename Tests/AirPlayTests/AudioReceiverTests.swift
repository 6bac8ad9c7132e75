import AirPlay
import HAPCore
import Testing

/// The order of packets, requests for those that are missing, and the counts.
struct AudioReceiverTests {
    private static func plays(_ sequences: ClosedRange<UInt16>) -> [AudioStage.Step] { sequences.map { .play($0) } }

    // MARK: Order

    @Test
    func packetsInOrderAreDeliveredAtOnce() {
        var stage = AudioStage()
        stage.receive(65_534, 65_535, 0, 1)
        #expect(stage.takeSteps() == [.play(65_534), .play(65_535), .play(0), .play(1)])
        let counts = stage.receiver.counts
        #expect(counts.received == 4 && counts.delivered == 4 && counts.bytes == 8 && counts.reordered == 0)
        #expect(stage.receiver.nextDeadline == nil && stage.receiver.bufferedCount == 0)
    }

    @Test
    func packetsOutOfOrderAreDeliveredInOrder() {
        var stage = AudioStage()
        stage.receive(65_534, 1, 65_535)
        #expect(stage.takeSteps() == [.play(65_534), .play(65_535)])
        #expect(stage.receiver.bufferedCount == 1)
        stage.receive(0)
        #expect(stage.takeSteps() == [.play(0), .play(1)])
        #expect(stage.receiver.counts.reordered == 2 && stage.receiver.counts.resent == 0)
        #expect(stage.receiver.nextDeadline == nil)
    }

    @Test
    func aPacketThatArrivesAgainIsDuplicate() {
        var stage = AudioStage()
        stage.receive(1, 3, 3, 1)
        stage.receive(3, isResent: true)
        #expect(stage.takeSteps() == [.play(1)])
        stage.receive(2, 2)
        #expect(stage.takeSteps() == [.play(2), .play(3)])
        #expect(stage.receiver.counts.duplicate == 4 && stage.receiver.counts.late == 0)
        #expect(stage.receiver.counts.addUp(buffered: 0))
    }

    @Test
    func aPacketFromBeforeTheBeginIsLate() {
        var stage = AudioStage()
        stage.receive(100, 99, 65_535)
        #expect(stage.takeSteps() == [.play(100)])
        #expect(stage.receiver.counts.late == 2 && stage.receiver.counts.jumps == 0)
    }

    // MARK: Requests

    @Test
    func aMissingPacketIsRequestedThreeTimesAndThenLost() {
        var stage = AudioStage()
        stage.receive(1, 4)
        _ = stage.takeSteps()
        for (time, steps) in [
            (39, []), (40, [.request(2, 2)]), (79, []), (80, [.request(2, 2)]), (159, []), (160, [.request(2, 2)]),
            (999, []), (1_000, [.lost(2), .play(4)]), (5_000, []),
        ] as [(Int64, [AudioStage.Step])] {
            stage.advance(to: time)
            #expect(stage.takeSteps() == steps, "at \(time) ms")
        }
        let counts = stage.receiver.counts
        #expect(counts.requested == 6 && counts.lost == 2 && counts.addUp(buffered: 0))
        #expect(stage.receiver.nextDeadline == nil)
        // What arrives after it was given up is late.
        stage.receive(2, 3)
        stage.receive(4)
        #expect(stage.receiver.counts.late == 2 && stage.receiver.counts.duplicate == 1 && stage.takeSteps() == [])
    }

    @Test
    func aPacketThatIsResentFillsItsPlace() {
        var stage = AudioStage()
        stage.receive(1, 4, 6)
        stage.advance(to: 40)
        #expect(stage.takeSteps() == [.play(1), .request(2, 2), .request(5, 1)])
        stage.receive(3, isResent: true)
        stage.advance(to: 80)
        #expect(stage.takeSteps() == [.request(2, 1), .request(5, 1)])
        stage.receive(2, 5, isResent: true)
        #expect(stage.takeSteps() == [.play(2), .play(3), .play(4), .play(5), .play(6)])
        #expect(stage.receiver.counts.resent == 3 && stage.receiver.counts.reordered == 0)
        #expect(stage.receiver.nextDeadline == nil)
    }

    @Test
    func aPacketThatWasOnlyLateInOrderIsNotRequested() {
        var stage = AudioStage()
        stage.receive(1, 3)
        stage.advance(to: 39)
        stage.receive(2)
        stage.advance(to: 2_000)
        #expect(stage.takeSteps() == [.play(1), .play(2), .play(3)] && stage.receiver.counts.requested == 0)
    }

    @Test
    func aRequestDoesNotExtendBeyondTheLastNumber() {
        var stage = AudioStage()
        stage.receive(65_532, 3)
        stage.advance(to: 40)
        #expect(stage.takeSteps() == [.play(65_532), .request(65_533, 3), .request(0, 3)])
    }

    @Test
    func lateCallsDoNotRequestTwiceAtOnce() {
        var stage = AudioStage()
        stage.receive(1, 3)
        // The first call is at 500 ms.
        var actions: [AudioReceiver.Action] = []
        stage.receiver.advance(to: MonotonicInstant(nanoseconds: 500_000_000), into: &actions)
        #expect(actions == [.request(first: 2, count: 1)])
        #expect(stage.receiver.nextDeadline == MonotonicInstant(nanoseconds: 540_000_000))
        // A clock that stands still or goes back changes nothing.
        stage.receiver.advance(to: .zero, into: &actions)
        #expect(actions.count == 1)
    }

    @Test
    func atMost200PacketsAreRequestedInAnySecond() {
        var stage = AudioStage()
        var requests: [(time: Int64, count: Int)] = []
        // Every second packet is missing: 125 packets per second and stream would be 375 requests.
        for index in 0..<1_500 {
            stage.advance(to: Int64(index) * 4)
            stage.receive(UInt16(truncatingIfNeeded: index * 2))
            for case .request(_, let count) in stage.takeSteps() { requests.append((stage.milliseconds, count)) }
        }
        #expect(stage.receiver.counts.requested == requests.reduce(0) { $0 + $1.count })
        for (start, _) in requests {
            let sum = requests.filter { (start..<start + 1_000).contains($0.time) }.reduce(0) { $0 + $1.count }
            #expect(sum <= 200)
        }
        // The limit was reached.
        #expect(stage.receiver.counts.requested > 600)
        #expect(stage.receiver.counts.requested <= 100 + 6 * 100)
        #expect(AudioReceiver.maximumRequestsPerSecond == 200)
    }

    @Test
    func aLargeGapIsRequestedInParts() {
        var stage = AudioStage()
        stage.receive(0, 129)
        stage.advance(to: 5)
        stage.receive(131)
        stage.advance(to: 40)
        #expect(stage.takeSteps() == [.play(0), .request(1, 100)])
        // Another packet is due, but the limit is reached.
        stage.advance(to: 45)
        #expect(stage.takeSteps() == [])
        stage.advance(to: 50)
        #expect(stage.takeSteps() == [.request(101, 1)])
        stage.advance(to: 1_000)
        #expect(stage.receiver.counts.requested <= 100 + 96)
        #expect(stage.takeSteps().suffix(3) == [.lost(128), .play(129), .request(130, 1)])
        #expect(stage.receiver.bufferedCount == 1)
    }

    // MARK: Jumps and the window

    @Test(arguments: [0, 65_500] as [UInt16])
    func aGapOfMoreThan128PacketsRestartsTheStream(_ first: UInt16) {
        var stage = AudioStage()
        stage.receive(first, first &+ 129)
        #expect(stage.takeSteps() == [.play(first)] && stage.receiver.counts.jumps == 0)
        stage.receive(first &+ 129 &+ 130)
        #expect(stage.takeSteps() == [.lost(128), .play(first &+ 129), .restarted, .play(first &+ 259)])
        let counts = stage.receiver.counts
        #expect(counts.jumps == 1 && counts.lost == 128 && stage.receiver.nextDeadline == nil)
        // After the jump, there is nothing before.
        stage.receive(first &+ 258)
        #expect(stage.receiver.counts.late == 1 && stage.receiver.counts.addUp(buffered: 0))
    }

    @Test(arguments: [(512, false), (513, true), (32_768, true)] as [(UInt16, Bool)])
    func aPacketFarBehindRestartsTheStream(_ distance: UInt16, _ isJump: Bool) {
        var stage = AudioStage()
        stage.receive(1_000)
        // The next one is 1,001.
        stage.receive(1_001 &- distance)
        #expect(stage.receiver.counts.jumps == (isJump ? 1 : 0) && stage.receiver.counts.late == (isJump ? 0 : 1))
        #expect(stage.takeSteps().count == (isJump ? 3 : 1))
    }

    @Test
    func aPacketThatWasResentDoesNotRestartTheStream() {
        var stage = AudioStage()
        stage.receive(5, isResent: true)
        stage.receive(1_000)
        stage.receive(5, 2_000, isResent: true)
        #expect(stage.takeSteps() == [.play(1_000)])
        #expect(stage.receiver.counts.discarded == 3 && stage.receiver.counts.jumps == 0)
    }

    @Test
    func aFullWindowGivesUpTheOldestPackets() {
        var stage = AudioStage()
        stage.receive(0)
        for sequence in 2...512 as ClosedRange<UInt16> { stage.receive(sequence) }
        #expect(stage.takeSteps() == [.play(0)] && stage.receiver.bufferedCount == 511)
        // There are 512 places from 1 to 512; the next packet needs one more.
        stage.receive(513)
        #expect(stage.takeSteps() == [.lost(1)] + Self.plays(2...513))
        #expect(stage.receiver.bufferedCount == 0 && stage.receiver.counts.lost == 1)
        #expect(stage.receiver.nextDeadline == nil)
    }

    @Test
    func aFullWindowWithANewGapStillHasADeadline() {
        var stage = AudioStage()
        stage.receive(0)
        for sequence in 2...500 as ClosedRange<UInt16> { stage.receive(sequence) }
        stage.receive(600)
        #expect(stage.takeSteps() == [.play(0), .lost(1)] + Self.plays(2...500))
        #expect(stage.receiver.bufferedCount == 1 && stage.receiver.nextDeadline != nil)
        stage.advance(to: 1_000)
        #expect(stage.takeSteps().suffix(2) == [.lost(99), .play(600)])
    }

    @Test
    func aPayloadHasALimitedLength() {
        var stage = AudioStage()
        let largest = [UInt8](repeating: 0, count: 16_384)
        stage.receive(largest, sequence: 1, timestamp: 0)
        stage.receive(largest + [0], sequence: 2, timestamp: 0)
        stage.receive([], sequence: 2, timestamp: 0)
        #expect(stage.takeSteps() == [.play(1), .play(2)])
        #expect(stage.receiver.counts.discarded == 1 && stage.receiver.counts.bytes == 32_769)
    }

    // MARK: Flush

    @Test
    func aFlushRemovesWhatWasNotDelivered() {
        var stage = AudioStage()
        stage.receive(1, 3, 4)
        stage.receiver.flush(sequence: 6, timestamp: 6 * 352, at: stage.now)
        #expect(stage.receiver.bufferedCount == 0 && stage.receiver.nextDeadline == nil)
        stage.receive(5, 7)
        stage.advance(to: 40)
        stage.receive(6)
        #expect(stage.takeSteps() == [.play(1), .request(6, 1), .play(6), .play(7)])
        let counts = stage.receiver.counts
        #expect(counts.discarded == 2 && counts.late == 1 && counts.lost == 0 && counts.addUp(buffered: 0))
    }

    @Test
    func aPacketFromBeforeAFlushIsLate() {
        var stage = AudioStage()
        stage.receive(1, 2)
        stage.receiver.flush(sequence: 4, timestamp: nil, at: stage.now)
        stage.receive(2)
        #expect(stage.receiver.counts.late == 1 && stage.receiver.counts.duplicate == 0)
    }

    @Test
    func aFlushWithoutANumberDiscardsEarlierTimesForASecond() {
        var stage = AudioStage()
        stage.receive(1)
        stage.receiver.flush(sequence: nil, timestamp: 10 * 352, at: stage.now)
        stage.receive(2, 9)
        stage.receive(10, 9)
        // After the first packet, the number decides.
        #expect(stage.takeSteps() == [.play(1), .play(10)])
        #expect(stage.receiver.counts.discarded == 2 && stage.receiver.counts.late == 1)
        stage.receiver.flush(sequence: nil, timestamp: 10 * 352, at: stage.now)
        stage.advance(to: 999)
        stage.receive(5)
        stage.advance(to: 1_000)
        stage.receive(6)
        #expect(stage.takeSteps() == [.play(6)] && stage.receiver.counts.discarded == 3)
        stage.receiver.flush(sequence: nil, timestamp: nil, at: stage.now)
        stage.receive(3)
        #expect(stage.takeSteps() == [.play(3)] && stage.receiver.counts.jumps == 0)
    }

    // MARK: Random streams

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aDisturbedStreamIsDeliveredInOrder(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stage = AudioStage()
        var next: UInt16?
        var queue: [(time: Int64, sequence: UInt16, isResent: Bool)] = []
        for index in 0..<3_000 as Range<Int64> {
            let sequence = UInt16(truncatingIfNeeded: 65_000 + index)
            let loss = Int.random(in: 0..<10, using: &random)
            let delay = Int64.random(in: 0...30, using: &random)
            if loss > 0 || index == 0 { queue.append((index * 8 + delay, sequence, false)) }
            if loss == 9 { queue.append((index * 8 + delay + 5, sequence, false)) }
            queue.sort { $0.time < $1.time }
            while let first = queue.first, first.time <= index * 8 {
                queue.removeFirst()
                stage.advance(to: first.time)
                stage.receive(first.sequence, isResent: first.isResent)
            }
            stage.advance(to: index * 8)
            for step in stage.takeSteps() {
                switch step {
                case .play(let sequence):
                    #expect(next == nil || next == sequence)
                    next = sequence &+ 1
                case .lost(let count): next = next.map { $0 &+ UInt16(count) }
                case .request(let first, let count):
                    // Half of the answers arrive.
                    for offset in 0..<count where Bool.random(using: &random) {
                        queue.append((stage.milliseconds + 10, first &+ UInt16(offset), true))
                    }
                case .restarted: Issue.record("There is no jump.")
                }
            }
            #expect(stage.receiver.bufferedCount <= 512)
        }
        let counts = stage.receiver.counts
        #expect(counts.addUp(buffered: stage.receiver.bufferedCount) && counts.jumps == 0)
        #expect(counts.resent > 100 && counts.reordered > 100 && counts.duplicate > 100)
        // One of eight is missing after three requests.
        #expect(counts.lost < 100)
    }
}
