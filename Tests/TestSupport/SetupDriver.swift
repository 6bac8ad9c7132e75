package import HAPCore

/// Takes the role of the server for a pair-setup machine: computes and stores at once, in memory.
package final class SetupDriver {
    package var machine: PairSetupAccessory
    package var table: PairingTable
    /// Whether stores succeed.
    package var isStoreWorking = true
    /// Every requested change, in order.
    package private(set) var changes: [PairingChange] = []
    /// The secrets of the key pairs to use, in order, before new ones are generated.
    package var preparedSecrets: [String] = []
    package var isSlotFree = true

    package init(
        verifier: SRPVerifier = Fixture.verifier,
        identity: AccessoryIdentity = Fixture.accessory,
        table: PairingTable = PairingTable()
    ) {
        machine = PairSetupAccessory(identity: identity, verifier: verifier)
        self.table = table
    }

    /// Whether the machine holds the slot.
    package var isInProgress: Bool {
        machine.isInProgress
    }

    /// Sends a message, and performs the machine's actions until it responds.
    package func send(_ message: [UInt8]) -> PairSetupAccessory.Action {
        var action = machine.receive(message, pairings: table, isSlotFree: isSlotFree)
        while true {
            switch action {
            case .respond, .refuse, .establish:
                return action
            case .compute(let computation):
                action = machine.didCompute(result(of: computation))
            case .persist(let change):
                changes.append(change)
                if isStoreWorking {
                    table.apply(change)
                }
                action = machine.didPersist(isDurable: isStoreWorking)
            }
        }
    }

    private func result(of computation: SRPComputation) -> SRPComputation.Result {
        guard computation.kind == .serverKey, !preparedSecrets.isEmpty else { return computation.run() }
        return .serverKey(SRPServerKey(secret: SecretBytes(hex: preparedSecrets.removeFirst())))
    }
}
