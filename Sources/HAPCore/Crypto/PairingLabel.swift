/// The nonce of a sealed pairing message, named by the message.
///
/// HAP: §5
package enum PairingLabel: String, Sendable {
    case setupM5 = "PS-Msg05"
    case setupM6 = "PS-Msg06"
    case verifyM2 = "PV-Msg02"
    case verifyM3 = "PV-Msg03"

    /// The eight characters as a little-endian number.
    package var nonce: UInt64 {
        rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
