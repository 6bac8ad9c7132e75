/// The average response times of a server by message, from which the moments of kills are chosen.
struct ResponseTimes {
    private var durations: [String: Double] = [:]

    /// The expected time of a message, in seconds.
    subscript(_ message: String) -> Double {
        durations[message] ?? 0.005
    }

    /// Adds a measurement.
    mutating func record(_ message: String, _ duration: Duration) {
        let seconds = duration / .seconds(1)
        durations[message] = durations[message].map { $0 * 0.8 + seconds * 0.2 } ?? seconds
    }
}
