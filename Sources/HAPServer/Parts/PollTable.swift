internal import AccessoryModel
internal import NIOCore

/// The values of hardware that does not report its changes, and when the hardware is asked for each of them.
struct PollTable {
    private var polls: [CharacteristicKey: Poll] = [:]
    /// Counts the sets of polls: what one of an earlier set answers is ignored.
    private var round: UInt64 = 0

    /// A value that is polled.
    private struct Poll {
        let source: PolledValue
        /// Whether a write has begun or ended since the last question, so that its answer may be older.
        var isOvertaken = false
        /// Whether the last answer was an error: the first of a row is reported.
        var isFailing = false
        var task: Task<Void, Never>?
        var timer: Scheduled<Void>?
    }

    /// Polls other values than before; returns what to ask for now.
    mutating func replace(with sources: [CharacteristicKey: PolledValue]) -> [CharacteristicKey] {
        stop()
        polls = sources.mapValues { Poll(source: $0) }
        return Array(polls.keys)
    }

    /// Asks no more, and ignores what is still answered.
    mutating func stop() {
        for poll in polls.values {
            poll.task?.cancel()
            poll.timer?.cancel()
        }
        polls = [:]
        round += 1
    }

    /// Notes that a write begins or ends: what the hardware answers meanwhile may be from before.
    mutating func noteWrite(where isWritten: (CharacteristicKey) -> Bool) {
        for key in polls.keys where isWritten(key) {
            polls[key]?.isOvertaken = true
        }
    }

    /// Begins to ask for a value; the round belongs to the answer.
    mutating func ask(_ key: CharacteristicKey) -> (source: PolledValue, round: UInt64)? {
        guard let source = polls[key]?.source else { return nil }
        polls[key]?.isOvertaken = false
        return (source, round)
    }

    /// Gives a question its task, which is canceled with it.
    mutating func attach(_ task: Task<Void, Never>, to key: CharacteristicKey) {
        polls[key]?.task = task
    }

    /// Returns whether an answer may be an older value than the present one; `nil` for one of an earlier round.
    func isOvertaken(_ key: CharacteristicKey, round: UInt64) -> Bool? {
        round == self.round ? polls[key]?.isOvertaken : nil
    }

    /// Notes whether a question has failed; returns whether that is to be reported.
    mutating func note(isFailing: Bool, of key: CharacteristicKey) -> Bool {
        defer { polls[key]?.isFailing = isFailing }
        return isFailing && polls[key]?.isFailing == false
    }

    /// Sets the timer of the next question.
    mutating func wait(for key: CharacteristicKey, _ timer: (PolledValue) -> Scheduled<Void>) {
        guard let source = polls[key]?.source else { return }
        polls[key]?.timer = timer(source)
    }
}
