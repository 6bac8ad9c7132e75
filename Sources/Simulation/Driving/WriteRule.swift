package import AccessoryModel
package import HAPCore

/// Which values of a characteristic a behaviour can follow.
package enum WriteRule: Sendable, Hashable {
    /// One of two states, as a Boolean or as 0 or 1.
    case state
    /// An integer of this range.
    case choice(ClosedRange<Int>)
    /// Any finite number.
    case number
    /// None: the device measures it.
    case measured

    /// Why a value cannot be written, `nil` when it can.
    package func refusal(of value: CharacteristicValue) -> HAPStatus? {
        switch self {
        case .state: value.isSwitchedOn == nil ? .invalidValue : nil
        case .choice(let range): value.choice.map(range.contains) == true ? nil : .invalidValue
        case .number: value.finiteDouble == nil ? .invalidValue : nil
        case .measured: .readOnly
        }
    }
}

extension CharacteristicValue {
    /// An integer, also where a controller writes a Boolean for 0 or 1; `nil` for all else.
    var choice: Int? {
        integer ?? bool.map { $0 ? 1 : 0 }
    }

    /// The number that a characteristic of a measured quantity holds, without the noise of its arithmetic.
    static func measured(_ value: Double) -> CharacteristicValue {
        let rounded = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
        return .number(JSONNumber(rounded) ?? 0)
    }
}
