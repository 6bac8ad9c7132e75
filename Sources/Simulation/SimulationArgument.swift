package import AccessoryModel

/// What a file says of one parameter of a model.
package enum SimulationArgument: Sendable, Hashable {
    /// A time.
    case duration(Duration)
    /// The characteristic of the same service that holds the value.
    case characteristic(CharacteristicType)
    /// A number.
    case number(Double)
    /// Yes or no.
    case flag(Bool)
    /// One of several words.
    case choice(String)
}
