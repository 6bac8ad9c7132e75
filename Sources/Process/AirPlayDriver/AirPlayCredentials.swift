internal import AccessoryModel
internal import AirPlay
internal import AsyncPrimitives
internal import FoundationEssentials
internal import HAPCore
internal import Hosting
internal import Simulation

/// The identity of a receiver, its pairings and the settings of its home, which are stored; and its PIN.
actor AirPlayCredentials {
    /// The time that a wrong PIN or password costs, during which no other one is checked.
    static let failureTime = Duration.seconds(1)

    let identity: AccessoryIdentity
    /// A UUID in lowercase letters with hyphens.
    let pairingID: String
    private let store: DriverStore
    private let parameters: AirPlayParameters
    private(set) var pairings: [Pairing]
    private(set) var settings: HomeSettings
    /// The number of wrong PINs since a correct one; not stored, and not for sessions without a pairing.
    ///
    /// At ``PairingTable/maximumFailedProofs``, pairing is refused until the driver starts again.
    private var failures = 0
    /// Four digits, for a receiver whose file names no PIN.
    private let randomPIN: String
    /// The PIN or the password for pairing.
    private(set) var pin: String
    private var verifier: SRPVerifier
    /// The verifier of the PIN for sessions without a pairing.
    let transientVerifier = SRPVerifier(password: "3939")
    /// Changes of what is stored are made one after the other.
    private let turn = TurnLock()
    /// Computations for unknown senders are done one after the other.
    let computations = ConcurrencyLimiter(1, patience: .seconds(10))

    private init(
        _ store: DriverStore,
        _ parameters: AirPlayParameters,
        _ identity: AccessoryIdentity,
        _ pairingID: String,
        _ pairings: [Pairing],
        _ settings: HomeSettings
    ) {
        (self.store, self.parameters, self.identity, self.pairingID) = (store, parameters, identity, pairingID)
        (self.pairings, self.settings) = (pairings, settings)
        var generator = SodiumRandomNumberGenerator()
        randomPIN = String(String(Int.random(in: 10_000...19_999, using: &generator)).dropFirst())
        pin = Self.pin(parameters, settings, randomPIN)
        verifier = SRPVerifier(password: pin)
    }

    /// Reads what is stored, and makes and stores what is missing.
    static func load(from store: DriverStore, _ parameters: AirPlayParameters) async throws -> AirPlayCredentials {
        let pairingID: String
        if let stored = try await store.get("id") {
            pairingID = String(decoding: stored, as: UTF8.self)
        } else {
            pairingID = UUID().uuidString.lowercased()
            try await store.set("id", to: Array(pairingID.utf8))
        }
        let seed: SecretBytes
        if let stored = try await store.get("key"), stored.count == 32 {
            seed = SecretBytes(copying: stored)
        } else {
            seed = SecretBytes.random(count: 32)
            try await store.set("key", to: seed.withBytes { Array($0) })
        }
        // The first digits of the UUID, with the bits of an address that no manufacturer has.
        let digits = Array(pairingID.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(10))
        let octets = stride(from: 0, to: digits.count - 1, by: 2)
            .map { String(decoding: digits[$0..<$0 + 2], as: UTF8.self) }
        let text = (["02"] + octets).joined(separator: ":").uppercased()
        guard let deviceID = DeviceID(text) else { throw AirPlayCredentialsError.damagedIdentity }
        return AirPlayCredentials(
            store,
            parameters,
            AccessoryIdentity(deviceID: deviceID, signingKey: Ed25519SigningKey(seed: seed)),
            pairingID,
            try await store.get("pairings").map { try PairingsController.readList($0) } ?? [],
            HomeSettings(stored: try await store.get("home") ?? [])
        )
    }

    /// Returns the password, or the PIN of the file, or a random one.
    private static func pin(_ parameters: AirPlayParameters, _ settings: HomeSettings, _ random: String) -> String {
        let password = settings.password?.text ?? parameters.password ?? ""
        return password.isEmpty ? parameters.pin ?? random : password
    }

    // MARK: Access

    /// Which senders may play now.
    var access: AirPlayAccess {
        var access = AirPlayAccess()
        access.policy = parameters.policy
        let password = settings.password?.text ?? parameters.password ?? ""
        access.password = password.isEmpty ? nil : HiddenText(password)
        access.isForHome = settings.isForHome ?? false
        return access
    }

    /// The pairings, without a count of failures for sessions that store none.
    func table(isTransient: Bool = false) -> PairingTable {
        PairingTable(pairings: pairings, failedProofs: isTransient ? 0 : failures)
    }

    func pairSetupVerifier() -> SRPVerifier { verifier }

    /// Whether there were too many wrong PINs, among them the one that is being checked.
    var mayNotGuess: Bool { failures > PairingTable.maximumFailedProofs }

    /// Makes a change of the pairings durable; returns whether that succeeded.
    ///
    /// - Parameter isTransient: Whether it belongs to a procedure without a pairing, whose PIN all senders know.
    func apply(_ change: PairingChange, isTransient: Bool = false) async -> Bool {
        switch change {
        case .countFailedProof:
            if !isTransient { failures += 1 }
            return true
        case .clearFailedProofs:
            if !isTransient { failures = 0 }
            return true
        case .put, .remove, .removeAll: return await store(change)
        }
    }

    private func store(_ change: PairingChange) async -> Bool {
        await turn.acquire()
        defer { turn.release() }
        var table = PairingTable(pairings: pairings)
        table.apply(change)
        guard table.pairings.count <= PairingTable.capacity else { return false }
        do throws(StoreError) {
            try await store.set("pairings", to: PairingsAccessory.listMessage(table.pairings))
            // The home has removed the receiver.
            if change == .removeAll { try await store.set("home", to: nil) }
        } catch {
            return false
        }
        pairings = table.pairings
        if change == .removeAll {
            settings = HomeSettings()
            renewPIN()
        }
        return true
    }

    /// Changes and stores the settings of the home; returns whether that succeeded.
    func configure(_ new: HomeSettings) async -> Bool {
        await turn.acquire()
        defer { turn.release() }
        let merged = settings.merged(with: new)
        do throws(StoreError) {
            try await store.set("home", to: merged.stored)
        } catch {
            return false
        }
        settings = merged
        renewPIN()
        return true
    }

    private func renewPIN() {
        let new = Self.pin(parameters, settings, randomPIN)
        guard new != pin else { return }
        pin = new
        verifier = SRPVerifier(password: new)
    }
}

/// Why a receiver cannot start.
enum AirPlayCredentialsError: Error, CustomStringConvertible {
    case damagedIdentity

    var description: String {
        "The stored identity is damaged. Remove what is stored with hap reset, and pair the senders again."
    }
}
