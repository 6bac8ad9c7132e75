import AirPlay
import HAPCore

/// A receiver on a clock that a test moves, with the actions that were not checked yet.
struct AudioStage {
    /// An action in a short form.
    enum Step: Hashable {
        case play(UInt16)
        case request(UInt16, Int)
        case lost(Int)
        case restarted
    }

    var receiver: AudioReceiver
    private(set) var now = MonotonicInstant.zero
    private var actions: [AudioReceiver.Action] = []

    init(sampleRate: Int = 44_100) {
        receiver = AudioReceiver(sampleRate: sampleRate)
    }

    /// The milliseconds since the begin.
    var milliseconds: Int64 { now.nanoseconds / 1_000_000 }

    /// Receives packets with the number as their content.
    mutating func receive(_ sequences: UInt16..., isResent: Bool = false) {
        for sequence in sequences {
            receiver.receive(
                [UInt8(sequence >> 8), UInt8(sequence & 0xFF)],
                sequence: sequence,
                timestamp: UInt32(sequence) * 352,
                isResent: isResent,
                at: now,
                into: &actions
            )
        }
    }

    mutating func receive(_ payload: [UInt8], sequence: UInt16, timestamp: UInt32) {
        receiver.receive(payload, sequence: sequence, timestamp: timestamp, at: now, into: &actions)
    }

    /// Moves the clock to a number of milliseconds, and stops at each deadline on the way.
    mutating func advance(to milliseconds: Int64) {
        let end = MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
        while let deadline = receiver.nextDeadline, deadline <= end {
            precondition(deadline > now, "A deadline is not in the future.")
            now = deadline
            receiver.advance(to: now, into: &actions)
        }
        now = end
        receiver.advance(to: now, into: &actions)
    }

    /// Returns the actions since the last call.
    mutating func takeSteps() -> [Step] {
        defer { actions = [] }
        return actions.map { action in
            switch action {
            case .deliver(let payload, let sequence, let timestamp):
                precondition(payload == [UInt8(sequence >> 8), UInt8(sequence & 0xFF)] || payload.count != 2)
                precondition(timestamp == UInt32(sequence) * 352 || payload.count != 2)
                return .play(sequence)
            case .request(let first, let count): return .request(first, count)
            case .lost(let count): return .lost(count)
            case .restarted: return .restarted
            }
        }
    }
}

extension AudioReceiver.Counts {
    /// Whether each packet that was received is in exactly one place.
    func addUp(buffered: Int) -> Bool {
        received == delivered + late + duplicate + discarded + buffered
    }
}
