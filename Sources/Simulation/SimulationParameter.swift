/// Something about a model that a file may set.
package struct SimulationParameter: Sendable, Hashable {
    /// What an argument may be.
    package enum Kind: Sendable, Hashable {
        /// A time in this range.
        case duration(ClosedRange<Duration>)
        /// A time in this range, or the characteristic of the service that holds the seconds.
        case durationOrCharacteristic(ClosedRange<Duration>)
        /// A number in this range.
        case number(ClosedRange<Double>)
        /// A whole number in this range.
        case integer(ClosedRange<Int>)
        /// Yes or no.
        case flag
        /// One of these words.
        case choice([String])
    }

    /// The name in files, such as `travel`.
    package let name: String
    /// What an argument may be.
    package let kind: Kind
    /// What holds without an argument; `nil` when nothing does.
    package let standard: SimulationArgument?
    /// What it means, in a sentence for people.
    package let summary: String
}
