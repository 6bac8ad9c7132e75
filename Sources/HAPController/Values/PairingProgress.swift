/// How far pairing has come.
public enum PairingProgress: Sendable, Hashable {
    /// The network is being asked where the accessory is.
    case looking
    /// A connection is being made to this address.
    case connecting(String)
    /// A pair-setup message was sent: 1, 3 or 5 of six.
    case exchangingKeys(message: Int)
    /// The pairing is made and kept, under this alias.
    case kept(alias: String)
    /// A first session is being opened.
    case verifying
    /// The accessory's database is being read.
    case reading
}
