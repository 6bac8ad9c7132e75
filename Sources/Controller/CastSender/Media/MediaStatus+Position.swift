internal import HAPCore

extension MediaStatus {
    /// About how many seconds of the content have been played by now.
    public var estimatedPosition: Double { position(at: .now) }
}
