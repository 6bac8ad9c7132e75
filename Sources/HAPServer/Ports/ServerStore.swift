public import AccessoryModel

/// The three stores of one server.
public typealias ServerStore = IdentityStore & PairingStore & AttributeStore
