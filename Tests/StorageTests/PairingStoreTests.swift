import AccessoryModel
import HAPCore
import Testing

@Suite struct PairingStoreTests {
    @Test(arguments: StoreUnderTest.allCases)
    func aFreshStoreHasNoPairingsAndNoFailedProofs(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            #expect(try await store.pairings() == PairingTable())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func pairingsKeepTheOrderInWhichTheyWereAdded(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            for name in ["m", "z", "a", "k"] {
                try await store.apply(.put(try samplePairing(name)))
            }
            #expect(try await store.pairings().pairings.map(\.identifier.description) == ["m", "z", "a", "k"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aPairingSavedAgainKeepsItsPosition(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.apply(.put(try samplePairing("first")))
            try await store.apply(.put(try samplePairing("second")))
            let changed = try samplePairing("first", key: 99, isAdmin: false)
            try await store.apply(.put(changed))
            #expect(try await store.pairings().pairings == [changed, try samplePairing("second")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aPairingAddedAfterARemovalComesLast(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            for name in ["a", "b", "c"] {
                try await store.apply(.put(try samplePairing(name)))
            }
            try await store.apply(.remove(try #require(ControllerIdentifier("c"))))
            try await store.apply(.remove(try #require(ControllerIdentifier("a"))))
            try await store.apply(.put(try samplePairing("d")))
            try await store.apply(.put(try samplePairing("a")))
            #expect(try await store.pairings().pairings.map(\.identifier.description) == ["b", "d", "a"])
        }
    }

    @Test(
        arguments: StoreUnderTest.allCases,
        [[0x00], [0xFF], [0x41, 0x00, 0x42], [UInt8](repeating: 0x00, count: 36), pattern(0xE0, count: 36)]
    )
    func anIdentifierIsStoredByteForByte(_ subject: StoreUnderTest, bytes: [UInt8]) async throws {
        let identifier = try #require(ControllerIdentifier(bytes))
        let key = try #require(Ed25519PublicKey([UInt8](repeating: 0, count: 32)))
        let pairing = Pairing(identifier: identifier, publicKey: key, isAdmin: false)
        try await subject.run { store async throws in
            try await store.apply(.put(pairing))
            #expect(try await store.pairings().pairings == [pairing])
            try await store.apply(.remove(identifier))
            #expect(try await store.pairings().pairings.isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func identifiersAreCaseSensitive(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.apply(.put(try samplePairing("ab")))
            try await store.apply(.put(try samplePairing("AB")))
            #expect(try await store.pairings().pairings.count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func removingAMissingPairingChangesNothing(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.apply(.remove(try #require(ControllerIdentifier("unknown"))))
            try await store.apply(.removeAll)
            try await store.apply(.clearFailedProofs)
            #expect(try await store.pairings() == PairingTable())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func removingAllLeavesTheCountOfFailedProofs(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.apply(.countFailedProof)
            try await store.apply(.put(try samplePairing("phone")))
            try await store.apply(.countFailedProof)
            try await store.apply(.removeAll)
            #expect(try await store.pairings() == PairingTable(failedProofs: 2))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aSuccessfulProofClearsOnlyTheCount(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            for _ in 0..<PairingTable.maximumFailedProofs {
                try await store.apply(.countFailedProof)
            }
            #expect(try await store.pairings().failedProofs == 100)
            try await store.apply(.put(try samplePairing("phone")))
            try await store.apply(.clearFailedProofs)
            #expect(try await store.pairings() == PairingTable(pairings: [try samplePairing("phone")]))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func concurrentChangesAreAllStored(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            let pairings = try (0..<PairingTable.capacity).map { try samplePairing("controller \($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pairing in pairings {
                    group.addTask { try await store.apply(.put(pairing)) }
                    group.addTask { try await store.apply(.countFailedProof) }
                }
                try await group.waitForAll()
            }
            let table = try await store.pairings()
            #expect(Set(table.pairings) == Set(pairings))
            #expect(table.failedProofs == PairingTable.capacity)
        }
    }
}
