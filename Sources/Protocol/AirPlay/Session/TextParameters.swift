/// The parameters that a sender sets with a body of the type `text/parameters`.
package struct TextParameters: Sendable, Hashable {
    /// The maximum number of bytes of a body.
    package static let maximumLength = 4_096

    /// The volume; `nil` if the body does not set it.
    package private(set) var volume: VolumeLevel?
    /// The position of the track; `nil` if the body does not set it.
    package private(set) var progress: PlaybackProgress?

    /// Reads lines of the form `name: value`.
    ///
    /// Unknown names are ignored; the last line of a name counts.
    ///
    /// - Throws: ``AirPlayError`` for a body of more than ``maximumLength`` bytes, for a line without a colon, for a
    ///   volume that is not a number or has a magnitude over 1,000, and for a progress of another form.
    package init(parsing bytes: [UInt8]) throws(AirPlayError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var lines = LineReader(bytes)
        while let line = lines.next() {
            guard !line.isEmpty else { continue }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .malformed("A parameter does not have the form `name: value`.") }
            let value = parts[1].trimmed
            switch parts[0].trimmed.lowercased() {
            case "volume":
                guard let level = value.decimalNumber.flatMap(VolumeLevel.init(decibels:)) else {
                    throw .malformed("The volume is not a number of decibels.")
                }
                volume = level
            case "progress": progress = try PlaybackProgress(parsing: value)
            default: break
            }
        }
    }
}
