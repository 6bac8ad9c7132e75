import AccessoryModel
import HAPCore
import Testing

@Suite struct IdentityStoreTests {
    @Test(arguments: StoreUnderTest.allCases)
    func aFreshStoreHasNoIdentity(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            #expect(try await store.identity() == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [nil, 0, 1, 51_826, .max] as [UInt16?])
    func anIdentityIsReadBack(_ subject: StoreUnderTest, port: UInt16?) async throws {
        let saved = try sampleIdentity(port: port)
        try await subject.run { store async throws in
            try await store.save(saved)
            #expect(try await store.identity()?.exposed == saved.exposed)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func savingReplacesTheIdentity(_ subject: StoreUnderTest) async throws {
        let second = try sampleIdentity(device: "00:00:00:00:00:01", code: "271-82-818", fill: 0x77, port: nil)
        try await subject.run { store async throws in
            try await store.save(try sampleIdentity())
            try await store.save(second)
            #expect(try await store.identity()?.exposed == second.exposed)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aNewIdentityLeavesPairingsAndAttributes(_ subject: StoreUnderTest) async throws {
        try await subject.run { store async throws in
            try await store.apply(.put(try samplePairing("phone")))
            try await store.save([try id(1, 9): true])
            try await store.save(try sampleIdentity())
            #expect(try await store.pairings().pairings.count == 1)
            #expect(try await store.attributes().values.count == 1)
        }
    }
}

private func == (left: IdentityRecord?, right: Never?) -> Bool {
    if case .none = left { true } else { false }
}
