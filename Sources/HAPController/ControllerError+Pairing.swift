internal import HAPCore

extension ControllerError {
    /// The accessory does not take the proof of the setup code.
    ///
    /// - Parameter tries: How many were not accepted so far, `nil` when they cannot be counted.
    static func wrongCode(tries: Int?) -> ControllerError {
        let count = tries.map { " (\($0) \($0 == 1 ? "try" : "tries") so far)" } ?? ""
        return ControllerError(
            .wrongCode,
            reason: "The setup code is not accepted\(count).",
            remedy: "Check the code on the accessory or its packaging."
        )
    }

    /// The accessory is paired, and with this controller.
    static func pairedAlready(as alias: String, at place: AccessoryPlace) -> ControllerError {
        ControllerError(
            .alreadyPaired,
            reason: "The accessory at \(place) is paired already, and kept here as \(alias).",
            remedy: """
                Use it under that name; if it was paired with somebody else since, forget the pairing here with \
                `hap unpair \(alias) --force`, and reset it.
                """
        )
    }

    /// The caller's task has ended before the accessory could hold a pairing.
    static let pairingGivenUp = ControllerError(
        .cancelled,
        reason: "The pairing was given up before it was made.",
        remedy: "Pair again if it is still wanted."
    )

    /// The same failure after M5 was sent: nobody knows whether the accessory has kept the pairing.
    var thatLeavesThePairingOpen: ControllerError {
        var error = self
        error.reason += """
             That was after the last message of the pairing: the accessory may be paired with this controller now, though \
            nothing is kept of it here.
            """
        error.remedy = "Pair again; if the accessory says that it is paired already, reset it first."
        return error
    }

    /// The pairing is kept, and its first session failed.
    func afterPairing(as alias: String) -> ControllerError {
        var error = self
        error.reason = "The pairing is made and kept as \(alias), but it cannot be used yet. \(reason)"
        return error
    }

    /// This controller was told that it may not remove pairings, its own among them.
    static func notAdmin(_ error: PairingError, alias: String) -> ControllerError {
        ControllerError(
            .refused(error),
            reason: "Only an admin may remove a pairing from \(alias), and this controller is none: \(error).",
            remedy: "Let an admin remove it, or reset the accessory."
        )
    }
}
