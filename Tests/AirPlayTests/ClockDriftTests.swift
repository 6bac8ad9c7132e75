import AirPlay
import HAPCore
import Testing

/// The difference between the clocks of a sender and the receiver.
struct ClockDriftTests {
    /// Sends a synchronization each second, with a delay of the network of up to 4 ms.
    private func run(
        _ receiver: inout AudioReceiver,
        seconds: Range<Int64>,
        partsPerMillion: Double,
        from start: UInt32 = 4_294_000_000,
        isFirst: Bool = false
    ) {
        var random = SeededRandom(seed: 3)
        for second in seconds {
            let time = Double(second) * (1 + partsPerMillion / 1e6)
            let packet = ControlPacket.Synchronization(
                isFirst: isFirst && second == seconds.lowerBound,
                timestamp: start &+ UInt32(time * 44_100),
                time: .zero,
                nextTimestamp: 0
            )
            let delay = Int64.random(in: 0...4_000_000, using: &random)
            receiver.synchronize(packet, at: MonotonicInstant(nanoseconds: second * 1_000_000_000 + delay))
        }
    }

    @Test(arguments: [0.0, 100, -100, 5_000])
    func theDriftIsMeasuredFromSynchronizations(_ expected: Double) throws {
        var receiver = AudioReceiver(sampleRate: 44_100)
        run(&receiver, seconds: 0..<7, partsPerMillion: expected)
        #expect(receiver.driftPartsPerMillion == nil)
        run(&receiver, seconds: 7..<200, partsPerMillion: expected)
        let drift = try #require(receiver.driftPartsPerMillion)
        #expect(abs(drift - expected) < 30)
    }

    @Test
    func aJumpOrAFirstSynchronizationBeginsTheMeasurementAgain() throws {
        var receiver = AudioReceiver(sampleRate: 44_100)
        run(&receiver, seconds: 0..<100, partsPerMillion: 0)
        #expect(receiver.driftPartsPerMillion != nil)
        run(&receiver, seconds: 100..<101, partsPerMillion: 0, from: 0)
        #expect(receiver.driftPartsPerMillion == nil)
        run(&receiver, seconds: 101..<150, partsPerMillion: 0, from: 0)
        #expect(receiver.driftPartsPerMillion != nil)
        run(&receiver, seconds: 150..<151, partsPerMillion: 0, from: 0, isFirst: true)
        #expect(receiver.driftPartsPerMillion == nil)
    }

    @Test
    func aFloodOfSynchronizationsCountsFourTimesASecond() {
        var receiver = AudioReceiver(sampleRate: 44_100)
        for millisecond in 0..<1_999 as Range<Int64> {
            let packet = ControlPacket.Synchronization(
                timestamp: UInt32(Double(millisecond) * 44.1),
                time: .zero,
                nextTimestamp: 0
            )
            receiver.synchronize(packet, at: MonotonicInstant(nanoseconds: millisecond * 1_000_000))
            // The eighth measurement is at 1,750 ms.
            #expect((receiver.driftPartsPerMillion != nil) == (millisecond >= 1_750))
        }
    }

    @Test
    func extremeInstantsAndRatesDoNotTrap() {
        for rate in [0, -1, Int.min, Int.max] {
            var receiver = AudioReceiver(sampleRate: rate)
            for nanoseconds in [Int64.min, 0, .max, .min] {
                for timestamp in [UInt32.min, .max, 1 << 31] {
                    let packet = ControlPacket.Synchronization(timestamp: timestamp, time: .zero, nextTimestamp: 0)
                    receiver.synchronize(packet, at: MonotonicInstant(nanoseconds: nanoseconds))
                }
            }
            #expect(receiver.driftPartsPerMillion == nil)
        }
    }
}
