internal import AccessoryModel
public import HAPCore

/// What somebody wants to be paired with, and how it shall be called.
struct PairingWish: Sendable {
    let target: AccessoryTarget
    /// The device ID that it must have, `nil` when none is known.
    let deviceID: DeviceID?
    /// The name that was asked for.
    let alias: String?
    let code: SetupCode

    /// Under which its wrong codes are counted: the device ID where it is known.
    var name: String {
        switch target {
        case .address(let host, let port): AccessoryPlace(host: host.lowercased(), port: port).description
        case .device, .matchingPayload: deviceID?.text ?? ""
        }
    }

    /// The pairing as it is to be kept beside those that are.
    func kept(_ pairing: AccessoryPairing, at place: AccessoryPlace, beside others: [StoredPairing]) -> StoredPairing {
        let known = others.first { $0.pairing == pairing }
        let isReturnable = !place.isLinkLocal || isTyped(place)
        return StoredPairing(
            alias: alias ?? known?.alias ?? suggestion(for: pairing, at: place, beside: others),
            pairing: pairing,
            host: isReturnable ? place.host : known?.host,
            port: isReturnable ? place.port : known?.port
        )
    }

    /// Whether it is likely the accessory of a pairing that is kept.
    func mayBe(_ kept: StoredPairing) -> Bool {
        target.mayBe(kept) || deviceID != nil && deviceID == kept.deviceID
    }

    /// Whether somebody has named this very place: it is left to them whether it holds.
    private func isTyped(_ place: AccessoryPlace) -> Bool {
        if case .address(place.host, place.port) = target { true } else { false }
    }

    private func suggestion(
        for pairing: AccessoryPairing,
        at place: AccessoryPlace,
        beside others: [StoredPairing]
    ) -> String {
        AccessoryAlias.suggestion(for: place.name ?? pairing.deviceID?.text, taken: others.map(\.alias))
    }
}

extension AccessoryTarget {
    /// Whether it may be the accessory of a pairing that is kept: of an address nobody knows before.
    func mayBe(_ kept: StoredPairing) -> Bool {
        switch self {
        case .device(let deviceID): kept.deviceID == deviceID
        case .address(let host, let port): kept.host == host && kept.port == port
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
