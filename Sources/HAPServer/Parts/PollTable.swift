internal import AccessoryModel
internal import NIOCore

/// The values of hardware that does not report its changes, and when the hardware is asked for each of them.
struct PollTable {
    private var polls: [CharacteristicKey: Poll] = [:]
    /// Counts the sets of polls: what one of an earlier set answers is ignored.
    private var round: UInt64 = 0

    /// A value that is polled.
    struct Poll {
        fileprivate let source: PolledValue
        /// Whether a write has begun or ended since the last question, so that its answer may be older.
        fileprivate var isInvalidated = false
        /// Whether the last answer was an error: the first of a row is reported.
        fileprivate var isFailing = false
        fileprivate var task: Task<Void, Never>?
        fileprivate var timer: Scheduled<Void>?

        /// Ends the question and the wait for the next one; can run code of the program at once.
        func cancel() {
            task?.cancel()
            timer?.cancel()
        }
    }

    /// Begins to poll these values; returns what to ask for now.
    mutating func begin(_ sources: [CharacteristicKey: PolledValue]) -> [CharacteristicKey] {
        polls = sources.mapValues { Poll(source: $0) }
        return Array(polls.keys)
    }

    /// Takes all polls away, to be canceled; what is still answered is ignored.
    mutating func removeAll() -> [Poll] {
        defer {
            polls = [:]
            round += 1
        }
        return Array(polls.values)
    }

    /// Notes that a write begins or ends: what the hardware answers meanwhile may be from before.
    mutating func invalidate(where isWritten: (CharacteristicKey) -> Bool) {
        for key in polls.keys where isWritten(key) {
            polls[key]?.isInvalidated = true
        }
    }

    /// Begins to ask for a value; the round belongs to the answer.
    mutating func beginRead(_ key: CharacteristicKey) -> (source: PolledValue, round: UInt64)? {
        guard let source = polls[key]?.source else { return nil }
        polls[key]?.isInvalidated = false
        return (source, round)
    }

    /// Gives a question its task, which is canceled with it.
    mutating func attach(_ task: Task<Void, Never>, to key: CharacteristicKey) {
        polls[key]?.task = task
    }

    /// Returns whether an answer may be an older value than the present one; `nil` for one of an earlier round.
    func isInvalidated(_ key: CharacteristicKey, round: UInt64) -> Bool? {
        round == self.round ? polls[key]?.isInvalidated : nil
    }

    /// Notes whether a question has failed; returns whether that is to be reported.
    mutating func recordResult(isFailing: Bool, of key: CharacteristicKey) -> Bool {
        defer { polls[key]?.isFailing = isFailing }
        return isFailing && polls[key]?.isFailing == false
    }

    /// The time between two questions; `nil` when the value is no longer polled.
    func period(of key: CharacteristicKey) -> Duration? {
        polls[key]?.source.period
    }

    /// Gives a value the timer of its next question.
    mutating func attach(_ timer: Scheduled<Void>, to key: CharacteristicKey) {
        polls[key]?.timer = timer
    }
}
