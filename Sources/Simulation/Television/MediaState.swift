internal import AccessoryModel

/// What a device is asked to do with what it plays, as Target Media State tells it.
enum MediaState: Int, Sendable, Hashable {
    case play = 0
    case pause = 1
    case stop = 2

    /// Reads a written or kept value; `nil` for anything but the three.
    init?(_ value: CharacteristicValue?) {
        guard let number = value?.choice, let state = MediaState(rawValue: number) else { return nil }
        self = state
    }
}
