/// What a pairing request asks for: the value of its Method item.
///
/// HAP: §5
package enum PairingMethod: UInt8, Sendable, Hashable {
    case pairSetup = 0
    case pairSetupWithAuth = 1
    case pairVerify = 2
    case addPairing = 3
    case removePairing = 4
    case listPairings = 5
    case pairResume = 6
}
