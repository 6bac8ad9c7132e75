import FuzzHarness
import HAPCore
import TestSupport

/// Pair-setup between a controller and an accessory in one process, with a network between them that the input
/// controls.
struct PairSetupConversation: Conversation, ~Copyable {
    private var accessory = PairSetupAccessory(identity: Fixture.accessory, verifier: Fixture.verifier)
    private var controller: PairSetupController
    private var knowsCode: Bool
    private var isControllerWaiting = false
    private var table: PairingTable
    private var isStoreWorking = true
    private var isSlotFree = true
    private var isNextKeyUnusable = false
    var network = Network()
    private var forgeries = Forgeries(of: [.identifier, .publicKey, .signature])

    init(_ source: inout ByteSource) {
        let options = source.byte()
        let failedProofs = options & 1 == 0 ? 0 : Int(source.byte())
        table = PairingTable(pairings: options & 2 == 0 ? [] : [Self.guest], failedProofs: failedProofs)
        knowsCode = options & 4 == 0
        controller = Self.makeController(knowsCode: knowsCode)
    }

    /// A pairing of a controller that is not an admin; without an admin, the accessory counts as unpaired.
    private static let guest = Fixture.pairing(number: 7, isAdmin: false)

    mutating func run(_ source: inout ByteSource) {
        restart(knowsCode: knowsCode)
        var steps = 0
        while !source.isEmpty, steps < 64 {
            steps += 1
            step(&source)
        }
        finishHonestly()
    }

    private mutating func step(_ source: inout ByteSource) {
        switch source.byte() % 16 {
        case 0...2: deliver()
        case 3, 4: deliverChanged(by: Mutation(&source))
        case 5, 6: deliverSealedAnew(by: Mutation(&source))
        case 7: deliverTwice()
        case 8: restart(knowsCode: source.byte() & 1 == 0)
        case 9: replayToAccessory(source.byte())
        case 10: replayToController(source.byte())
        case 11: receive(source.bytes(source.number() & 0x3FF))
        case 12: respond(source.bytes(source.number() & 0x3FF))
        case 13: isStoreWorking.toggle()
        case 14:
            switch source.byte() % 4 {
            case 0: isSlotFree.toggle()
            case 1: isNextKeyUnusable.toggle()
            case 2: table.apply(.removeAll)
            default: table.apply(.clearFailedProofs)
            }
        default: accessory.cancel()
        }
    }

    /// Checks that after any input, a controller with the correct code can pair with an unpaired accessory.
    private mutating func finishHonestly() {
        isStoreWorking = true
        isSlotFree = true
        isNextKeyUnusable = false
        restart(knowsCode: true)
        let isOpen = !table.isPaired && table.failedProofs < PairingTable.maximumFailedProofs
        for _ in 0..<6 {
            deliver()
        }
        if isOpen {
            claim(table[Fixture.controller.identifier] == Fixture.pairing, "an honest controller can pair")
            claim(table.failedProofs == 0, "a proof that holds clears the count")
        }
    }

    private mutating func restart(knowsCode: Bool) {
        self.knowsCode = knowsCode
        controller = Self.makeController(knowsCode: knowsCode)
        network.toController = nil
        perform(controller.start())
    }

    private static func makeController(knowsCode: Bool) -> PairSetupController {
        PairSetupController(
            identity: Fixture.controller,
            code: knowsCode ? Fixture.setupCode : SetupComputations.wrongCode,
            prover: SetupComputations.prove
        )
    }

    mutating func changingContent(of message: [UInt8], by mutation: Mutation) -> [UInt8] {
        SetupComputations.all.changingContent(of: message, by: mutation, &forgeries) ?? message
    }
}

// MARK: - Accessory

extension PairSetupConversation {
    /// Passes a message to the accessory, and performs its actions until it responds.
    mutating func receive(_ message: [UInt8]) {
        let before = table
        let isSlotFree = isSlotFree
        var action = accessory.receive(message, pairings: table, isSlotFree: isSlotFree)
        var stored: Pairing?
        var isProofRefused = false
        var asked: PairingChange?
        for round in 0..<8 {
            claim(round < 7, "an accessory answers after some work")
            switch action {
            case .refuse:
                claim(!accessory.isInProgress, "a message that is rejected ends the procedure")
                claim(table == before, "a message that is rejected changes nothing")
                network.toController = []
                return
            case .respond(let reply):
                check(reply, to: message, before: before, stored: stored)
                if isProofRefused {
                    claim(
                        reply.outcome == .refused(.authentication) && table.failedProofs == before.failedProofs + 1,
                        "a wrong proof is counted and refused"
                    )
                }
                network.sendToController(reply.message)
                return
            case .compute(let computation):
                claim(accessory.isInProgress && accessory.isWorking, "work belongs to a procedure")
                let result = result(of: computation, for: message)
                if case .serverAgreement(let agreement) = result {
                    claim(asked == .countFailedProof && isStoreWorking, "a proof is counted before it is checked")
                    isProofRefused = agreement == nil
                }
                action = accessory.didCompute(result)
            case .establish: fatalError("does not hold: HomeKit has no pairing for one session")
            case .persist(let change):
                claim(accessory.isWorking, "storing belongs to a procedure")
                defer { asked = change }
                if case .put(let pairing) = change {
                    claim(!forgeries.contain(message), "only what the controller itself has signed is believed")
                    claim(pairing == Fixture.pairing, "only who has proved the code and its key is paired")
                    stored = isStoreWorking ? pairing : nil
                } else {
                    claim(
                        change == .clearFailedProofs ? asked == .countFailedProof && !isProofRefused : asked == nil,
                        "a proof is counted, and a right one clears the count"
                    )
                }
                if isStoreWorking {
                    table.apply(change)
                }
                action = accessory.didPersist(isDurable: isStoreWorking)
            }
        }
    }

    private mutating func result(of computation: SRPComputation, for message: [UInt8]) -> SRPComputation.Result {
        let computations = SetupComputations.all
        switch computation.kind {
        case .serverKey:
            guard isNextKeyUnusable else { return .serverKey(computations.serverKey) }
            isNextKeyUnusable = false
            return .serverKey(computations.unusableServerKey)
        case .serverAgreement:
            return .serverAgreement(computations.agreement(for: message))
        case .clientResponse:
            fatalError("does not hold: an accessory computes what is its own")
        }
    }

    private func check(_ reply: PairingResponse, to message: [UInt8], before: PairingTable, stored: Pairing?) {
        guard let sent = try? TLV8Message(message, at: "fuzz"),
            let answered = try? TLV8Message(reply.message, at: "fuzz"),
            let state = try? sent.state()
        else { fatalError("does not hold: only a message is replied to, by a message") }
        claim(answered[.state] == [state + 1], "an answer has the next number")
        claim(reply.message.count < 512, "an answer is short")
        switch reply.outcome {
        case .refused(let error):
            claim(answered[.error] == [error.rawValue], "a refusal says so")
            claim(!accessory.isInProgress, "a refusal ends the procedure")
            claim(stored == nil, "what is stored is acknowledged")
        case .paired(let pairing):
            claim(pairing == stored && answered[.error] == nil, "a pairing is acknowledged when it is stored")
            claim(!accessory.isInProgress, "a pairing ends the procedure")
        case .continues:
            claim(answered[.error] == nil && accessory.isInProgress, "a procedure goes on")
            claim(state == 1 || state == 3, "a procedure goes on after M2 and M4")
            claim(!before.isPaired || state == 3, "a paired accessory begins no pair-setup")
            if state == 3 {
                claim(sent[.proof] == SetupComputations.all.response.proof, "only a right proof is answered by one")
            }
        case .completed:
            fatalError("does not hold: pair-setup ends with a pairing or a refusal")
        }
    }
}

// MARK: - Controller

extension PairSetupConversation {
    /// Passes a response to the controller, if it waits for one.
    mutating func respond(_ body: [UInt8]) {
        guard isControllerWaiting else { return }
        let action = controller.receive(body)
        switch action {
        case .finished:
            claim(!forgeries.contain(body), "only what the accessory itself has signed is believed")
        case .send where controller.pendingMessageNumber == 1:
            claim((try? TLV8Message(body, at: "fuzz"))?[.state] == [2], "another key is requested")
        case .send:
            let proof = (try? TLV8Message(body, at: "fuzz"))?[.proof]
            let proved = [SetupComputations.all.response, SetupComputations.all.wrongAnswer]
                .map(\.agreement.serverProof)
            claim(proof.map(proved.contains) ?? false, "only an accessory that knows the code is told more")
        case .compute, .failed: break
        }
        perform(action)
    }

    private mutating func perform(_ action: PairSetupController.Action) {
        isControllerWaiting = false
        switch action {
        case .send(let message):
            isControllerWaiting = true
            network.sendToAccessory(message)
        case .compute(let computation):
            claim(computation.kind == .clientResponse, "a controller computes what is its own")
            perform(controller.didCompute(computation.run()))
        case .finished(let pairing):
            claim(pairing == Fixture.accessoryPairing, "only the accessory itself is paired with")
            claim(knowsCode, "pairing requires the code")
        case .failed: break
        }
    }
}
