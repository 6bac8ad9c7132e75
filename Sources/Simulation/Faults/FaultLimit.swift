/// When a fault is over by itself; whatever comes first.
///
/// Without either it lasts until it is cleared.
package struct FaultLimit: Sendable, Hashable {
    /// How often it acts, at least 1; `nil` for as often as there is something to act on.
    package var count: Int?
    /// For how long, on the clock of the simulation.
    package var duration: Duration?

    /// Creates a limit; without arguments there is none.
    package init(count: Int? = nil, duration: Duration? = nil) {
        self.count = count
        self.duration = duration
    }
}

extension FaultLimit: CustomStringConvertible {
    /// The limit in words, such as `3 times, for 10s at most`.
    package var description: String {
        let times = count.map { $0 == 1 ? "once" : "\($0) times" }
        switch (times, duration) {
        case (nil, nil): return "until cleared"
        case (let times?, nil): return times
        case (nil, let duration?): return "for \(ScenarioText.duration(duration))"
        case (let times?, let duration?): return "\(times), for \(ScenarioText.duration(duration)) at most"
        }
    }
}
