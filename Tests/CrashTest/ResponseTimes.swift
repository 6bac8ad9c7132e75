/// How long a server takes to answer each message, to draw moments from.
struct ResponseTimes {
    private var durations: [String: Double] = [:]

    /// What a message takes, in seconds.
    subscript(_ message: String) -> Double {
        durations[message] ?? 0.005
    }

    /// Takes a measurement.
    mutating func record(_ message: String, _ duration: Duration) {
        let seconds = duration / .seconds(1)
        durations[message] = durations[message].map { $0 * 0.8 + seconds * 0.2 } ?? seconds
    }
}
