import HAPCore
import TestSupport
import Testing

struct PairingsAccessoryTests {
    private static let vector = Vectors.all.pairings
    private static let admin = Fixture.pairing
    private static let guest = Fixture.pairing(number: 1, isAdmin: false)

    @Test func theListResponseMatchesTheVector() {
        #expect(message(response(Self.vector.list)) == Self.vector.listResponse)
    }

    @Test func aListIsDividedBySeparatorsAndKeepsItsOrderAndBytes() throws {
        let odd = Pairing(
            identifier: try #require(ControllerIdentifier([0xFF, 0x00, 0x61])),
            publicKey: Self.guest.publicKey,
            isAdmin: false
        )
        let pairings = [Self.guest, Self.admin, odd]
        let body = try #require(message(response(Self.vector.list, pairings: pairings)))
        #expect(body.hasPrefix("060102"))
        #expect(!body.hasSuffix("ff00"))
        #expect(try PairingsController.readList([UInt8](hex: body)) == pairings)
    }

    @Test func aPairingIsAddedOnceItIsStored() throws {
        var machine = PairingsAccessory()
        let request = [UInt8](hex: Self.vector.add)
        let action = machine.receive(request, from: Self.admin.identifier, pairings: Fixture.pairedTable)
        let added = try Self.added()
        #expect(!added.isAdmin)
        #expect(action == .persist(.put(added)))
        #expect(message(machine.didPersist(isDurable: true)) == Self.vector.ok)
        #expect(message(machine.receive(request, from: added.identifier, pairings: Fixture.pairedTable)) != nil)
    }

    @Test func aPairingThatCannotBeStoredIsRefused() {
        var machine = PairingsAccessory()
        _ = machine.receive([UInt8](hex: Self.vector.add), from: Self.admin.identifier, pairings: Fixture.pairedTable)
        let action = machine.didPersist(isDurable: false)
        #expect(message(action) == Self.vector.unknown)
        #expect(
            message(
                machine.receive(
                    [UInt8](hex: Self.vector.list),
                    from: Self.admin.identifier,
                    pairings: Fixture.pairedTable
                )
            ) == Self.vector.listResponse
        )
    }

    @Test(arguments: [vector.list, vector.add, vector.remove])
    func aControllerThatIsNoAdminIsRefused(_ request: String) {
        let pairings = [Self.admin, Self.guest]
        #expect(message(response(request, from: Self.guest, pairings: pairings)) == Self.vector.notAdmin)
    }

    /// The permission of the controller is checked for each request.
    @Test(arguments: [vector.list, vector.add, vector.remove])
    func aControllerThatWasRemovedMeanwhileIsRefused(_ request: String) {
        #expect(message(response(request, from: Self.admin, pairings: [Self.guest])) == Self.vector.notAdmin)
    }

    @Test func aKnownPairingWithTheSameKeyGetsItsNewPermission() {
        let promoted = Pairing(identifier: Self.guest.identifier, publicKey: Self.guest.publicKey, isAdmin: true)
        let request = PairingsController.addMessage(promoted).hex
        #expect(response(request, pairings: [Self.admin, Self.guest]) == .persist(.put(promoted)))
    }

    @Test func anUnchangedPairingIsNotStoredAgain() {
        let request = PairingsController.addMessage(Self.guest).hex
        #expect(message(response(request, pairings: [Self.admin, Self.guest])) == Self.vector.ok)
    }

    @Test func aKnownPairingWithAnotherKeyIsRefused() {
        let other = Pairing(identifier: Self.guest.identifier, publicKey: Self.admin.publicKey, isAdmin: false)
        let request = PairingsController.addMessage(other).hex
        #expect(message(response(request, pairings: [Self.admin, Self.guest])) == Self.vector.unknown)
    }

    @Test func pairingsAreAddedUntilTheTableIsFull() throws {
        let others = (2..<UInt8(PairingTable.capacity)).map { Fixture.pairing(number: $0, isAdmin: false) }
        let oneFree = [Self.admin] + others
        try #require(oneFree.count == PairingTable.capacity - 1)
        #expect(response(Self.vector.add, pairings: oneFree) == .persist(.put(try Self.added())))
        let full = oneFree + [Self.guest]
        #expect(message(response(Self.vector.add, pairings: full)) == Self.vector.maxPeers)
        let promoted = Pairing(identifier: Self.guest.identifier, publicKey: Self.guest.publicKey, isAdmin: true)
        #expect(response(PairingsController.addMessage(promoted).hex, pairings: full) == .persist(.put(promoted)))
    }

    @Test func removingTheLastAdminRemovesAllPairings() {
        #expect(response(Self.vector.remove, pairings: [Self.admin, Self.guest]) == .persist(.removeAll))
        #expect(response(Self.vector.remove, pairings: [Self.admin]) == .persist(.removeAll))
    }

    @Test func downgradingTheLastAdminRemovesAllPairings() {
        let downgraded = Pairing(identifier: Self.admin.identifier, publicKey: Self.admin.publicKey, isAdmin: false)
        let request = PairingsController.addMessage(downgraded).hex
        #expect(response(request, pairings: [Self.admin, Self.guest]) == .persist(.removeAll))
        let second = Fixture.pairing(number: 2, isAdmin: true)
        #expect(response(request, pairings: [Self.admin, second]) == .persist(.put(downgraded)))
    }

    @Test func removingOneOfTwoAdminsKeepsTheOther() {
        let second = Fixture.pairing(number: 2, isAdmin: true)
        let action = response(Self.vector.remove, pairings: [Self.admin, second])
        #expect(action == .persist(.remove(Self.admin.identifier)))
    }

    @Test func removingAnUnknownPairingSucceeds() {
        let request = PairingsController.removeMessage(Self.guest.identifier).hex
        #expect(message(response(request)) == Self.vector.ok)
    }

    @Test(arguments: [
        "", "06", "060101", "060102000105", "060103000105", "0600000105", "06010100020505", "0601010000",
        "060101000100", "060101000101", "060101000102", "060101000106", "060101000107", "0601010001ff",
        // Add without a required item, with an item of the wrong size, or with unknown permissions.
        "060101000103", "0601010001030100" + key + "0b0100", "060101000103" + longIdentifier + key + "0b0100",
        "060101000103010141" + "0b0100", "060101000103010141" + "031f" + String(repeating: "01", count: 31) + "0b0100",
        "060101000103010141" + key, "060101000103010141" + key + "0b00", "060101000103010141" + key + "0b020100",
        "060101000103010141" + key + "0b0102", "060101000103010141" + key + "0b0103",
        "060101000103010141" + key + "0b0180",
        // Remove without an identifier, or with one of the wrong size.
        "060101000104", "0601010001040100", "060101000104" + longIdentifier,
    ])
    func anIllegalRequestIsRejected(_ hex: String) {
        guard case .refuse = response(hex) else {
            Issue.record("not rejected")
            return
        }
    }

    private static let key = "0320" + String(repeating: "01", count: 32)
    private static let longIdentifier = "0125" + String(repeating: "41", count: 37)

    private static func added() throws -> Pairing {
        let message = try TLV8Message([UInt8](hex: vector.add), at: "test")
        return Pairing(
            identifier: try message.controllerIdentifier(),
            publicKey: try message.longTermKey(),
            isAdmin: try message.byte(.permissions) == 1
        )
    }

    private func response(
        _ hex: String,
        from caller: Pairing = admin,
        pairings: [Pairing] = [admin]
    ) -> PairingsAccessory.Action {
        var machine = PairingsAccessory()
        return machine.receive(
            [UInt8](hex: hex),
            from: caller.identifier,
            pairings: PairingTable(pairings: pairings)
        )
    }

    private func message(_ action: PairingsAccessory.Action) -> String? {
        guard case .respond(let reply) = action else { return nil }
        return reply.message.hex
    }
}
