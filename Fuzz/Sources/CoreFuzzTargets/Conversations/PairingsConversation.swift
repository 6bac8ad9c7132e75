import FuzzHarness
import HAPCore
import TestSupport

/// Controllers that manage pairings, and an accessory, in one process.
struct PairingsConversation: ~Copyable {
    private var accessory = PairingsAccessory()
    private var table: PairingTable
    private var caller = Fixture.controller.identifier
    private var isStoreWorking = true
    private var lastAnswer: [UInt8] = []

    init(_ source: inout ByteSource) {
        // Usually there are few pairings, because writing and reading each of them takes time.
        let options = source.byte()
        let guests = (0..<(options < 192 ? options % 4 : options - 186))
            .map { Fixture.pairing(number: $0, isAdmin: $0 % 7 == 3) }
        table = PairingTable(pairings: [Fixture.pairing] + guests.prefix(PairingTable.capacity - 1))
    }

    mutating func run(_ source: inout ByteSource) {
        var steps = 0
        while !source.isEmpty, steps < 32 {
            steps += 1
            step(&source)
        }
        checkList()
    }

    private mutating func step(_ source: inout ByteSource) {
        switch source.byte() % 9 {
        case 0: receive(PairingsController.listMessage())
        case 1: receive(PairingsController.addMessage(pairing(&source)))
        case 2: receive(PairingsController.removeMessage(pairing(&source).identifier))
        case 3, 4:
            let message =
                source.byte() % 2 == 0
                ? PairingsController.addMessage(pairing(&source))
                : PairingsController.removeMessage(pairing(&source).identifier)
            receive(Mutation(&source).apply(to: message))
        case 5: receive(source.bytes(Int(source.byte())))
        case 6: caller = pairing(&source).identifier
        case 7: isStoreWorking.toggle()
        default: read(Mutation(&source).apply(to: lastAnswer))
        }
    }

    private func pairing(_ source: inout ByteSource) -> Pairing {
        let number = source.byte()
        guard number != 0 else { return Fixture.pairing }
        return Fixture.pairing(number: number & 0x7F, isAdmin: number & 0x80 != 0)
    }

    private mutating func receive(_ message: [UInt8]) {
        let before = table
        let isAdmin = table[caller]?.isAdmin ?? false
        var action = accessory.receive(message, from: caller, pairings: table)
        if case .persist(let change) = action {
            claim(isAdmin, "only an admin changes pairings")
            if isStoreWorking {
                table.apply(change)
            }
            action = accessory.didPersist(isDurable: isStoreWorking)
            check(table)
        } else {
            claim(table == before, "nothing changes that was not stored")
        }
        switch action {
        case .persist: fatalError("does not hold: one request is one change")
        case .refuse: lastAnswer = []
        case .respond(let reply):
            lastAnswer = reply.message
            check(reply, isAdmin: isAdmin)
        }
    }

    private func check(_ table: PairingTable) {
        claim(table.pairings.count <= PairingTable.capacity, "there are no more pairings than there is room for")
        claim(table.isPaired || table.pairings.isEmpty, "without an admin no pairing stays")
        claim(Set(table.pairings.map(\.identifier)).count == table.pairings.count, "each controller is paired once")
    }

    private func check(_ reply: PairingResponse, isAdmin: Bool) {
        switch reply.outcome {
        case .completed:
            claim(isAdmin, "only an admin is obeyed")
            claim((try? PairingsController.readList(reply.message)) != nil, "a controller can read the answer")
        case .refused(let error):
            let response = outcome { () throws(PairingFailure) in
                try PairingsController.readAcknowledgement(reply.message)
            }
            guard case .failure(.refused(error)) = response else { fatalError("does not hold: a refusal says so") }
        case .continues, .paired: fatalError("does not hold: a request has one answer")
        }
    }

    /// Lets a controller parse a response, whatever it contains.
    private func read(_ body: [UInt8]) {
        let list = outcome { () throws(PairingFailure) in try PairingsController.readList(body) }
        if case .success(let pairings) = list {
            claim(pairings.count <= body.count / 35, "a list has no more pairings than it has room for")
        }
        _ = outcome { () throws(PairingFailure) in try PairingsController.readAcknowledgement(body) }
    }

    /// Checks that an admin receives all pairings.
    private mutating func checkList() {
        guard let admin = table.pairings.first(where: \.isAdmin) else { return }
        guard
            case .respond(let reply) = accessory.receive(
                PairingsController.listMessage(),
                from: admin.identifier,
                pairings: table
            )
        else { fatalError("does not hold: a list is answered") }
        claim((try? PairingsController.readList(reply.message)) == table.pairings, "a list tells every pairing")
    }
}
