public import AccessoryModel
public import HAPCore

/// Why a controller's request came to nothing.
///
/// The one error type of this module.
public struct ControllerError: Error, Sendable, Hashable {
    /// What kind of failure.
    public enum Code: Sendable, Hashable {
        /// No address of the accessory takes a connection.
        case unreachable
        /// The accessory took too long over one step.
        case timedOut
        /// Nobody on the network announces the accessory.
        case notFound
        /// The accessory does not take the setup code.
        case wrongCode
        /// The accessory is paired with another home already.
        case alreadyPaired
        /// Another controller is pairing with the accessory at this moment.
        case busy
        /// The accessory has had so many wrong codes that it must be reset.
        case tooManyTries
        /// The accessory has no room for another pairing.
        case maxPeers
        /// The accessory does not know this controller any more, or does not allow what was asked.
        case refused(PairingError)
        /// Who answers has another device ID or another long-term key than the pairing.
        case wrongAccessory
        /// Who answers refuses before it has shown that it is the accessory.
        case unproven(PairingError)
        /// The accessory breaks the protocol.
        case malformed(ProtocolError)
        /// The connection ended before the answer came.
        case connectionLost
        /// The accessory answered the whole request with an error: the status of HTTP, and HAP's where it sent one.
        case requestFailed(http: Int, HAPStatus?)
        /// Nothing is kept under this name.
        case unknownAccessory
        /// The accessory has no such characteristic, or several.
        case unknownCharacteristic
        /// The characteristic does not take this value.
        case invalidValue
        /// The name or the device is kept already.
        case taken
        /// The controller's store failed.
        case store(StoreError.Code)
        /// The daemon that finds accessories did not do what it was asked.
        case discovery
        /// More changes wait for one that watches than there is room for.
        case overflow
        /// The task that asked was cancelled; what it asked for may have been done all the same.
        case cancelled
        /// The controller, or the accessory in it, was closed.
        case closed
    }

    /// What kind of failure.
    public var code: Code
    /// What happened, in a sentence.
    public var reason: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension ControllerError: CustomStringConvertible {
    /// The two sentences.
    public var description: String {
        "\(reason) \(remedy)"
    }
}
