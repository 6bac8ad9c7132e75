internal import Synchronization

/// The keys of a pair-verify, used once for its session.
///
/// HAP: §7, §8
package final class SessionKeys: Sendable {
    private let secret: SessionSecret
    private let role: SessionRole
    private let isSealerTaken = Atomic(false)
    private let isOpenerTaken = Atomic(false)

    /// The keys of the channel for requests of the accessory; `nil` if the session has none.
    package let events: SessionKeys?

    /// - Parameter events: The keys of a second channel, for requests of the accessory.
    package init(secret: SessionSecret, role: SessionRole, events: SessionSecret? = nil) {
        self.secret = secret
        self.role = role
        self.events = events.map { SessionKeys(secret: $0, role: role) }
    }

    /// Derives the keys of a session and of its event channel from the session key of SRP, as AirPlay does.
    ///
    /// See `docs/airplay.md`.
    static func airPlay(from sessionKey: borrowing SecretBytes) -> SessionKeys {
        sessionKey.withBytes { key in
            SessionKeys(
                secret: .pair(.accessoryToController, .controllerToAccessory, from: key),
                role: .accessory,
                events: .events(from: key)
            )
        }
    }

    /// Returns the sealer for the frames of this side, with its counter at 0.
    ///
    /// Must be called only once: a second sealer would reuse nonces.
    package func takeSealer() -> FrameSealer {
        let wasTaken = isSealerTaken.exchange(true, ordering: .relaxed)
        precondition(!wasTaken, "a session's sealer is taken once")
        return FrameSealer(secret, role == .accessory ? .accessoryToController : .controllerToAccessory)
    }

    /// Returns the opener for the frames of the other side, with its counter at 0.
    ///
    /// Must be called only once.
    package func takeOpener() -> FrameOpener {
        let wasTaken = isOpenerTaken.exchange(true, ordering: .relaxed)
        precondition(!wasTaken, "a session's opener is taken once")
        return FrameOpener(secret, role == .accessory ? .controllerToAccessory : .accessoryToController)
    }
}

extension SessionKeys: Equatable {
    package static func == (left: SessionKeys, right: SessionKeys) -> Bool {
        left === right
    }
}

extension SessionKeys: CustomStringConvertible {
    /// A fixed text without the keys.
    package var description: String {
        "session keys (hidden)"
    }
}

/// The two keys of a session in one piece of locked memory, shared by the sealer and the opener.
///
/// Immutable, and wiped when both are released.
///
/// HAP: §5
package final class SessionSecret: Sendable {
    /// One of the two keys.
    package enum Direction: Int, Sendable {
        case accessoryToController = 0
        case controllerToAccessory = 32
    }

    private let keys: SecretBytes

    /// Creates the keys from 64 bytes: first the accessory's key for sending, then the controller's.
    package init(keys: consuming SecretBytes) {
        precondition(keys.count == 64, "a session has two keys of 32 bytes")
        self.keys = keys
    }

    /// Derives two keys with the same salt: first the one for what the accessory sends.
    fileprivate static func pair(
        _ sent: KeyPurpose,
        _ received: KeyPurpose,
        from key: UnsafeRawBufferPointer
    ) -> SessionSecret {
        SessionSecret(
            keys: SecretBytes(count: 64) { target in
                let (first, second) = (target[..<32], target[32...])
                HKDF.derive(
                    (sent, received),
                    from: key,
                    into: (.init(rebasing: first), .init(rebasing: second))
                )
            }
        )
    }

    /// Derives the keys of an event channel of AirPlay.
    static func events(from key: UnsafeRawBufferPointer) -> SessionSecret {
        pair(.eventsOfAccessory, .answersToEvents, from: key)
    }

    /// Lends a key of 32 bytes.
    func withKey<Result>(_ direction: Direction, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        keys.withBytes { keys in
            body(UnsafeRawBufferPointer(rebasing: keys[direction.rawValue..<(direction.rawValue + 32)]))
        }
    }
}

/// The role of one end of a session.
package enum SessionRole: Sendable, Hashable {
    case accessory
    case controller
}
