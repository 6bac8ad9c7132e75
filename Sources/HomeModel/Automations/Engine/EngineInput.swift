package import AccessoryModel

/// What the world tells an engine.
package enum EngineInput: Sendable, Hashable {
    /// A characteristic has this value; `nil` when it is not known any more.
    ///
    /// The same value again says nothing new. Of the buttons of remote controls each value is a press.
    case value(CharacteristicSelector, CharacteristicValue?)
    /// An accessory does not answer: no value of it is known any more.
    case unreachable(ObjectID<HomeAccessory>)
    /// A user is at home or is not; `nil` when nobody knows.
    case presence(ObjectID<HomeUser>, isHome: Bool?)
}
