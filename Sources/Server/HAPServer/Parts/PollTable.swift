internal import AccessoryModel
internal import NIOCore

/// The values of hardware that does not report changes, and the times at which they are polled.
struct PollTable {
    private var polls: [CharacteristicKey: Poll] = [:]
    /// The number of the current set of polls; results of earlier sets are ignored.
    private var round: UInt64 = 0

    /// A value that is polled.
    struct Poll {
        fileprivate let source: PolledValue
        /// Whether a write has started or ended since the poll began, so that its result may be outdated.
        fileprivate var isInvalidated = false
        /// Whether the last poll failed: the first of consecutive errors is reported.
        fileprivate var isFailing = false
        fileprivate var task: Task<Void, Never>?
        fileprivate var timer: Scheduled<Void>?

        /// Cancels the running read and the timer of the next one.
        ///
        /// This may synchronously run code of the program, such as a cancellation handler.
        func cancel() {
            task?.cancel()
            timer?.cancel()
        }
    }

    /// Starts to poll these values; returns those to read now.
    mutating func begin(_ sources: [CharacteristicKey: PolledValue]) -> [CharacteristicKey] {
        polls = sources.mapValues { Poll(source: $0) }
        return Array(polls.keys)
    }

    /// Removes all polls, which the caller cancels; pending results are ignored.
    mutating func removeAll() -> [Poll] {
        defer {
            polls = [:]
            round += 1
        }
        return Array(polls.values)
    }

    /// Records that a write starts or ends: results of reads that started before may be outdated.
    mutating func invalidate(where isWritten: (CharacteristicKey) -> Bool) {
        for key in polls.keys where isWritten(key) {
            polls[key]?.isInvalidated = true
        }
    }

    /// Starts to read a value; returns its source, and the round to pass with the result.
    mutating func beginRead(_ key: CharacteristicKey) -> (source: PolledValue, round: UInt64)? {
        guard let source = polls[key]?.source else { return nil }
        polls[key]?.isInvalidated = false
        return (source, round)
    }

    /// Stores the task of a poll, which is canceled with it.
    mutating func attach(_ task: Task<Void, Never>, to key: CharacteristicKey) {
        polls[key]?.task = task
    }

    /// Returns whether a result may be older than the current value; `nil` for one of an earlier round.
    func isInvalidated(_ key: CharacteristicKey, round: UInt64) -> Bool? {
        round == self.round ? polls[key]?.isInvalidated : nil
    }

    /// Records whether a poll has failed; returns whether to report it.
    mutating func recordResult(isFailing: Bool, of key: CharacteristicKey) -> Bool {
        defer { polls[key]?.isFailing = isFailing }
        return isFailing && polls[key]?.isFailing == false
    }

    /// Returns the time from a result to the next read; `nil` if the value is no longer polled.
    func period(of key: CharacteristicKey) -> Duration? {
        polls[key]?.source.period
    }

    /// Stores the timer of the next read of a value.
    mutating func attach(_ timer: Scheduled<Void>, to key: CharacteristicKey) {
        polls[key]?.timer = timer
    }
}
