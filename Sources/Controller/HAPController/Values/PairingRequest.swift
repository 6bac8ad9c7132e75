internal import AccessoryModel
public import HAPCore

/// The target of a pairing and the requested alias.
struct PairingRequest: Sendable {
    let target: AccessoryTarget
    /// The device ID that the accessory must have; `nil` if unknown.
    let deviceID: DeviceID?
    /// The requested alias.
    let alias: String?
    let code: SetupCode

    /// The name under which wrong codes are counted: the address if the user gave one, otherwise the device ID.
    var name: String {
        switch target {
        case .address(let host, let port): AccessoryEndpoint(host: host.lowercased(), port: port).description
        case .device, .matchingPayload: deviceID?.text ?? ""
        }
    }

    /// Returns the pairing to store; without a requested alias, it has one that differs from all others.
    func storedPairing(_ pairing: AccessoryPairing, at endpoint: AccessoryEndpoint, besides others: [StoredPairing])
        -> StoredPairing
    {
        let known = others.first { $0.pairing == pairing }
        let isReturnable = !endpoint.isLinkLocal || isTypedAddress(endpoint)
        return StoredPairing(
            alias: alias ?? known?.alias ?? suggestion(for: pairing, at: endpoint, beside: others),
            pairing: pairing,
            host: isReturnable ? endpoint.host : known?.host,
            port: isReturnable ? endpoint.port : known?.port
        )
    }

    /// Returns whether the target is probably the accessory of a stored pairing.
    func canMatch(_ stored: StoredPairing) -> Bool {
        target.canMatch(stored) || deviceID != nil && deviceID == stored.deviceID
    }

    /// Returns whether the user has entered this endpoint.
    ///
    /// It is then stored even if it is link-local.
    private func isTypedAddress(_ endpoint: AccessoryEndpoint) -> Bool {
        if case .address(endpoint.host, endpoint.port) = target { true } else { false }
    }

    private func suggestion(
        for pairing: AccessoryPairing,
        at endpoint: AccessoryEndpoint,
        beside others: [StoredPairing]
    ) -> String {
        AccessoryAlias.suggestion(for: endpoint.name ?? pairing.deviceID?.text, taken: others.map(\.alias))
    }
}

extension AccessoryTarget {
    /// Returns whether the target is the accessory of a stored pairing, as far as its device ID or its stored address
    /// shows.
    func canMatch(_ stored: StoredPairing) -> Bool {
        switch self {
        case .device(let deviceID): stored.deviceID == deviceID
        case .address(let host, let port): stored.host == host && stored.port == port
        case .matchingPayload: false
        }
    }
}

/// The code or payload that a user reads off an accessory.
public enum SetupInput: Sendable, Hashable {
    /// The setup code alone.
    case code(SetupCode)
    /// The content of a QR code or an NFC tag.
    case payload(SetupPayload)
}

/// The progress of pairing.
public enum PairingProgress: Sendable, Hashable {
    /// The network is being searched for the accessory.
    case discovering
    /// A connection is being made to this address.
    case connecting(String)
    /// A pair-setup message was sent: 1, 3 or 5 of six.
    case exchangingKeys(message: Int)
    /// The pairing is made and stored under this alias.
    case saved(alias: String)
    /// A first session is being opened.
    case verifying
    /// The accessory's database is being read.
    case readingDatabase
}
