internal import AccessoryModel

/// A key of a television's remote control, as Remote Key tells it.
enum RemoteKey: Int, Sendable, Hashable {
    case rewind = 0
    case fastForward = 1
    case nextTrack = 2
    case previousTrack = 3
    case arrowUp = 4
    case arrowDown = 5
    case arrowLeft = 6
    case arrowRight = 7
    case select = 8
    case back = 9
    case exit = 10
    case playPause = 11
    case information = 15

    /// Reads a written value; `nil` for what is no key.
    init?(_ value: CharacteristicValue) {
        guard let number = value.choice, let key = RemoteKey(rawValue: number) else { return nil }
        self = key
    }
}
