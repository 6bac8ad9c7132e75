internal import AccessoryModel
internal import HAPCore

extension CharacteristicValue {
    /// One of two states, also where a controller writes a Boolean to a number or the reverse; `nil` for all else.
    var isSwitchedOn: Bool? {
        switch self {
        case .bool(let value): value
        case .number: integer == 0 ? false : integer == 1 ? true : nil
        case .string, .data: nil
        }
    }

    /// A finite number, `nil` for all else.
    var finiteDouble: Double? {
        guard let double = number?.double, double.isFinite else { return nil }
        return double
    }
}
