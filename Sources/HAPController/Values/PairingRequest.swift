internal import AccessoryModel
public import HAPCore

/// What somebody wants to be paired with, and how it shall be called.
struct PairingRequest: Sendable {
    let target: AccessoryTarget
    /// The device ID that it must have, `nil` when none is known.
    let deviceID: DeviceID?
    /// The name that was asked for.
    let alias: String?
    let code: SetupCode

    /// Under which its wrong codes are counted: the device ID where it is known.
    var name: String {
        switch target {
        case .address(let host, let port): AccessoryEndpoint(host: host.lowercased(), port: port).description
        case .device, .matchingPayload: deviceID?.text ?? ""
        }
    }

    /// The pairing as it is to be kept beside those that are.
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

    /// Whether it is likely the accessory of a pairing that is kept.
    func canMatch(_ stored: StoredPairing) -> Bool {
        target.canMatch(stored) || deviceID != nil && deviceID == stored.deviceID
    }

    /// Whether somebody has named this very place: it is left to them whether it holds.
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
    /// Whether it may be the accessory of a pairing that is kept: of an address nobody knows before.
    func canMatch(_ stored: StoredPairing) -> Bool {
        switch self {
        case .device(let deviceID): stored.deviceID == deviceID
        case .address(let host, let port): stored.host == host && stored.port == port
        case .matchingPayload: false
        }
    }
}

/// What people read off an accessory to pair with it.
public enum SetupInput: Sendable, Hashable {
    /// The setup code alone.
    case code(SetupCode)
    /// What a QR code or an NFC tag holds.
    case payload(SetupPayload)
}

/// How far pairing has come.
public enum PairingProgress: Sendable, Hashable {
    /// The network is being asked where the accessory is.
    case discovering
    /// A connection is being made to this address.
    case connecting(String)
    /// A pair-setup message was sent: 1, 3 or 5 of six.
    case exchangingKeys(message: Int)
    /// The pairing is made and kept, under this alias.
    case saved(alias: String)
    /// A first session is being opened.
    case verifying
    /// The accessory's database is being read.
    case readingDatabase
}
