package import HAPCore

/// Which senders may play.
package struct AirPlayAccess: Sendable, Hashable {
    package enum Policy: String, Sendable, Hashable, CaseIterable {
        /// Any sender: with keys for one session, or without encryption by AirPlay 1.
        case everyone
        /// Senders that were paired with a PIN.
        case pin
    }

    package var policy = Policy.everyone
    /// The password; `nil` for none.
    ///
    /// Senders of AirPlay 1 prove it by a digest. Those of AirPlay 2 are paired with it instead of a PIN.
    package var password: HiddenText?
    /// Whether only senders of a home may play, which a controller of the home adds.
    package var isForHome = false

    package init() {}

    /// Whether a sender must be paired.
    package var needsPairing: Bool { policy == .pin || password != nil || isForHome }

    /// Whether a sender may play with keys for one session.
    package var allowsTransient: Bool { !needsPairing }

    /// Whether a sender of AirPlay 1 may play.
    package var allowsUnencrypted: Bool { policy == .everyone && !isForHome }
}

/// What a connection has proved.
package enum AirPlayProof: Sendable, Hashable {
    case none
    /// It has keys for this session only, made with a PIN that all senders know.
    case transient
    /// It is paired.
    ///
    /// - Parameter isAdmin: Whether it may add and remove others.
    case paired(ControllerIdentifier, isAdmin: Bool)
    /// It was paired, and its pairing was removed.
    case removed

    package var isEncrypted: Bool { self != .none }
}
