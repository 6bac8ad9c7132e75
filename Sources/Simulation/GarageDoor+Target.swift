internal import AccessoryModel

extension GarageDoor {
    /// Where a door is to go: Target Door State.
    ///
    /// HAP: §20.1
    enum Target: Int, Sendable, Hashable {
        case open = 0
        case closed = 1

        /// Reads a written or kept value, also a Boolean; `nil` for anything but the two states.
        init?(_ value: CharacteristicValue?) {
            guard let isClosed = value?.isSwitchedOn else { return nil }
            self = isClosed ? .closed : .open
        }

        /// The position there, in percent open.
        var position: Double {
            switch self {
            case .open: 100
            case .closed: 0
            }
        }
    }
}
