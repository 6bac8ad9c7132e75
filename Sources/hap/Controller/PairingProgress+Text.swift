import HAPController

extension PairingProgress {
    /// What is being done, for people.
    var text: String {
        switch self {
        case .looking: "Looking for the accessory …"
        case .connecting(let address): "Connecting to \(address) …"
        case .exchangingKeys(let message): "Exchanging keys, message \(message) of 6 …"
        case .kept: "The pairing is kept …"
        case .verifying: "Opening the first session …"
        case .reading: "Reading what it has …"
        }
    }
}
