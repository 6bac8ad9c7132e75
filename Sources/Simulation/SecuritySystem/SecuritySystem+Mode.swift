internal import AccessoryModel

extension SecuritySystem {
    /// What it is to be, as Security System Target State tells it.
    enum Mode: Int, Sendable, Hashable {
        case stay = 0
        case away = 1
        case night = 2
        case disarmed = 3

        /// Reads a written or kept value; `nil` for anything but the four.
        init?(_ value: CharacteristicValue?) {
            guard let number = value?.integer, let mode = Mode(rawValue: number) else { return nil }
            self = mode
        }

        /// Whether somebody who moves inside belongs there.
        var allowsMotion: Bool {
            switch self {
            case .stay, .night, .disarmed: true
            case .away: false
            }
        }
    }
}
