internal import HAPCore

extension BinarySensor {
    /// When a pattern sets a sensor off: once in each span of time, at its beginning or by chance.
    ///
    /// All of it follows from the instant alone, so that looking often and looking once give the same answer, and looking
    /// after a year takes no longer.
    struct Occasions: Sendable, Hashable {
        private let origin: MonotonicInstant
        private let isRandom: Bool
        private let seed: UInt64
        private let span: UInt64
        private let length: UInt64

        /// `nil` when nothing is to happen.
        init?(_ configuration: Configuration, seed: UInt64, from origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            self.seed = seed
            isRandom = configuration.pattern == .random
            span = UInt64(max(configuration.every, .seconds(1)).clampedNanoseconds)
            length = min(UInt64(max(configuration.lasts, .zero).clampedNanoseconds), span)
        }

        /// Whether it is set off at `now`.
        func isOn(at now: MonotonicInstant) -> Bool {
            let elapsed = origin.nanoseconds(to: now)
            guard let occasion = occasion(in: elapsed / span) else { return false }
            return occasion.begin <= elapsed && elapsed < occasion.end
        }

        /// The next instant after `now` at which an occasion begins or ends; `nil` when the clock does not go so far.
        func edge(after now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / span
            return [number, number &+ 1].compactMap(occasion).flatMap { [$0.begin, $0.end] }
                .first { $0 > elapsed }
                .flatMap(origin.after(nanoseconds:))
        }

        /// The last instant up to `now` at which an occasion began or ended; `nil` before the first.
        func edge(through now: MonotonicInstant) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / span
            return [number == 0 ? nil : number - 1, number].compactMap(\.self).compactMap(occasion)
                .flatMap { [$0.begin, $0.end] }
                .last { $0 <= elapsed }
                .flatMap(origin.after(nanoseconds:))
        }

        /// The occasion in a span, in nanoseconds from the origin; `nil` when it has none or lies too far ahead.
        private func occasion(in number: UInt64) -> (begin: UInt64, end: UInt64)? {
            guard isRandom || number > 0 else { return nil }
            let (start, overflow) = number.multipliedReportingOverflow(by: span)
            let room = Double(span - length) * SeededRandom.unit(at: number, of: seed)
            let delay = isRandom ? min(UInt64(room), span - length) : 0
            let (begin, beginOverflow) = start.addingReportingOverflow(delay)
            let (end, endOverflow) = begin.addingReportingOverflow(length)
            return overflow || beginOverflow || endOverflow ? nil : (begin, end)
        }
    }
}
