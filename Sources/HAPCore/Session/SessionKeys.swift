internal import Synchronization

/// The keys that a pair-verify has agreed on, to be taken once by whoever runs the session.
///
/// HAP: §7, §8
package final class SessionKeys: Sendable {
    private let secret: SessionSecret
    private let role: SessionRole
    private let isSealerTaken = Atomic(false)
    private let isOpenerTaken = Atomic(false)

    package init(secret: SessionSecret, role: SessionRole) {
        self.secret = secret
        self.role = role
    }

    /// What seals this side's frames, its counter at 0.
    ///
    /// Taken once: a second sealer would use nonces again.
    package func takeSealer() -> FrameSealer {
        let wasTaken = isSealerTaken.exchange(true, ordering: .relaxed)
        precondition(!wasTaken, "a session's sealer is taken once")
        return FrameSealer(secret, role == .accessory ? .accessoryToController : .controllerToAccessory)
    }

    /// What opens the other side's frames, its counter at 0.
    ///
    /// Taken once.
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
    /// Never the keys.
    package var description: String {
        "session keys (hidden)"
    }
}
