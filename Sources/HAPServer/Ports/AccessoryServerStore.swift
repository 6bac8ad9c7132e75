public import AccessoryModel

/// The three stores of one server.
public typealias AccessoryServerStore = IdentityStore & PairingStore & AttributeStore
