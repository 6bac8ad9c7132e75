package import AccessoryModel

/// An event that an engine receives.
package enum EngineInput: Sendable, Hashable {
    /// A characteristic has this value; `nil` means that its value is no longer known.
    ///
    /// A repeated value is ignored, except for the buttons of remote controls, where each value is a press.
    case value(CharacteristicSelector, CharacteristicValue?)
    /// An accessory does not answer, so none of its values are known.
    case unreachable(ObjectID<HomeAccessory>)
    /// A user is home or away; `nil` means that the presence is unknown.
    case presence(ObjectID<HomeUser>, isHome: Bool?)
}
