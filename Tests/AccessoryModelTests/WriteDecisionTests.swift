import AccessoryModel
import HAPCore
import Testing

/// Tests the result of each item of a write request, and the order of the checks.
///
/// HAP: §13 rules 1 to 5
@Suite struct WriteDecisionTests {
    private typealias S = Sample

    @Test(arguments: [(0, 1), (1, 0), (1, 999), (2, 1), (.max, .max)] as [(UInt64, UInt64)])
    func missingCharacteristicIsReportedBeforeOtherErrors(aid: UInt64, iid: UInt64) throws {
        var database = try S.database(S.characteristic())
        let item = CharacteristicWriteItem(.init(aid: aid, iid: iid), authData: "!")
        #expect(database.validate(item, in: .guest) == .completed(.doesNotExist))
    }

    @Test func serviceIsNotACharacteristic() throws {
        var database = try S.database(S.characteristic())
        let item = CharacteristicWriteItem(.init(aid: 1, iid: 1), value: 1)
        #expect(database.validate(item, in: .admin) == .completed(.doesNotExist))
    }

    @Test func acceptedValueIsNormalized() throws {
        var database = try S.database(S.characteristic())
        let decision = database.validate(database.item(S.first, value: true), in: .guest)
        #expect(decision == .accepted(AcceptedWrite(index: database.position(of: S.first), value: 1)))
        #expect(database.value(at: database.position(of: S.first)) == nil)
    }

    @Test func anItemWithNeitherValueNorEvIsRefused() throws {
        var database = try S.database(S.characteristic(S.first, [.read]))
        #expect(database.validate(database.item(S.first), in: .admin) == .completed(.invalidValue))
    }

    @Test func nullIsNeverAValidValue() throws {
        var database = try S.database(S.characteristic())
        #expect(database.validate(database.item(S.first, value: .null), in: .admin) == .completed(.invalidValue))
    }

    @Test func plainWriteIsRefusedWhereATimedWriteIsRequired() throws {
        var database = try S.database(S.characteristic(S.first, [.read, .write, .events, .timedWrite]))
        let item = database.item(S.first, value: 1, ev: true)
        #expect(database.validate(item, in: .admin) == .completed(.invalidValue))
        #expect(!database.subscriptions.contains(SubscriberID(1), database.position(of: S.first)))
        #expect(
            database.validate(item, in: .timed) == .accepted(.init(index: database.position(of: S.first), value: 1))
        )
        #expect(database.validate(database.item(S.first, ev: false), in: .admin) == .completed(.success))
    }

    @Test func timedWriteIsAcceptedWhereNoneIsRequired() throws {
        var database = try S.database(S.characteristic())
        let item = database.item(S.first, value: 1)
        #expect(
            database.validate(item, in: .timed) == .accepted(.init(index: database.position(of: S.first), value: 1))
        )
    }

    @Test(
        arguments: [
            ([.read, .write], true, .notificationNotSupported), ([.read, .write], false, .notificationNotSupported),
            ([.read, .events], true, .success), ([.read, .events], false, .success), ([.events], true, .success),
        ] as [(CharacteristicPermissions, Bool, HAPStatus)]
    )
    func subscribingNeedsEvents(permissions: CharacteristicPermissions, ev: Bool, status: HAPStatus) throws {
        var database = try S.database(S.characteristic(S.first, permissions))
        #expect(database.validate(database.item(S.first, ev: ev), in: .guest) == .completed(status))
        #expect(
            database.subscriptions.contains(SubscriberID(2), database.position(of: S.first))
                == (ev && status == .success)
        )
    }

    @Test func subscribingTwiceAndUnsubscribingTwiceSucceed() throws {
        var database = try S.database(S.characteristic())
        for ev in [true, true, false, false] {
            #expect(database.validate(database.item(S.first, ev: ev), in: .admin) == .completed(.success))
            #expect(database.subscriptions.contains(SubscriberID(1), database.position(of: S.first)) == ev)
        }
    }

    @Test(arguments: [CharacteristicPermissions.read, [.read, .events], [.events]])
    func writingNeedsThePermission(_ permissions: CharacteristicPermissions) throws {
        var database = try S.database(S.characteristic(S.first, permissions))
        #expect(database.validate(database.item(S.first, value: 999), in: .admin) == .completed(.readOnly))
    }

    @Test(
        arguments: [
            ([.write], true, nil, nil, .insufficientPrivileges), ([.notify], true, nil, nil, nil),
            ([.read], true, nil, nil, nil), ([.notify], nil, true, nil, .insufficientPrivileges),
            ([.notify], nil, false, nil, .insufficientPrivileges), ([.write], nil, true, nil, .success),
            ([.write], "wrong", nil, "!", .insufficientPrivileges),
            ([.notify], "wrong", true, nil, .insufficientPrivileges),
        ] as [(AdminOnlyAccess, JSONValue?, Bool?, String?, HAPStatus?)]
    )
    func adminOnlyItemIsRefusedToOthersBeforeValidation(
        adminOnly: AdminOnlyAccess,
        value: JSONValue?,
        ev: Bool?,
        authData: String?,
        status: HAPStatus?
    ) throws {
        var database = try S.database(S.characteristic(adminOnly: adminOnly))
        let index = database.position(of: S.first)
        let accepted = WriteDecision.accepted(AcceptedWrite(index: index, value: 1))
        let item = database.item(S.first, value: value, ev: ev, authData: authData)
        #expect(database.validate(item, in: .guest) == status.map(WriteDecision.completed) ?? accepted)
    }

    @Test func adminMayUseAdminOnlyCharacteristics() throws {
        var database = try S.database(S.characteristic(adminOnly: [.read, .write, .notify]))
        let index = database.position(of: S.first)
        let item = database.item(S.first, value: 1, ev: true)
        #expect(database.validate(item, in: .admin) == .accepted(AcceptedWrite(index: index, value: 1)))
        #expect(database.subscriptions.contains(SubscriberID(1), index))
        let address = CharacteristicAddress(database.characteristics[index].id)
        #expect(database.readableIndex(of: address, isAdmin: true) == .success(index))
        #expect(database.readableIndex(of: address, isAdmin: false) == .failure(.init(.insufficientPrivileges)))
    }

    @Test func adminRuleIsCheckedBeforeTheWritePermission() throws {
        var database = try S.database(S.characteristic(S.first, [.read], adminOnly: [.write]))
        let item = database.item(S.first, value: 1)
        #expect(database.validate(item, in: .guest) == .completed(.insufficientPrivileges))
        #expect(database.validate(item, in: .admin) == .completed(.readOnly))
    }

    @Test(arguments: [("!", .invalidValue), ("AQ", .invalidValue), ("AQ==", nil), ("", nil)] as [(String, HAPStatus?)])
    func authorizationDataIsBase64(authData: String, status: HAPStatus?) throws {
        var database = try S.database(S.characteristic())
        let accepted = WriteDecision.accepted(AcceptedWrite(index: database.position(of: S.first), value: 1))
        let decision = database.validate(database.item(S.first, value: 1, authData: authData), in: .admin)
        #expect(decision == status.map(WriteDecision.completed) ?? accepted)
    }

    @Test func refusedSubscriptionPreventsTheWrite() throws {
        var database = try S.database(S.characteristic(S.first, [.read, .write]))
        let item = database.item(S.first, value: 1, ev: true)
        #expect(database.validate(item, in: .admin) == .completed(.notificationNotSupported))
    }

    @Test func subscriptionSucceedsWhenItsValueIsRefused() throws {
        var database = try S.database(S.characteristic())
        let item = database.item(S.first, value: 256, ev: true)
        #expect(database.validate(item, in: .admin) == .completed(.invalidValue))
        #expect(database.subscriptions.contains(SubscriberID(1), database.position(of: S.first)))
    }

    @Test func strictnessIsADatabaseSetting() throws {
        var database = try S.database(S.characteristic())
        var light = try S.database(
            Characteristic(
                type: S.first,
                permissions: [.write],
                metadata: .init(format: .float, minimum: 0, maximum: 1, step: 0.5)
            )
        )
        let index = light.position(of: S.first)
        #expect(
            light.validate(light.item(S.first, value: 0.4), in: .admin) == .accepted(.init(index: index, value: 0.5))
        )
        light.isStrict = true
        #expect(light.validate(light.item(S.first, value: 0.4), in: .admin) == .completed(.invalidValue))
        database.isStrict = true
        #expect(database.validate(database.item(S.first, value: 2), in: .admin) != .completed(.invalidValue))
    }

    @Test(
        arguments: [
            ([.write], .writeOnly), ([.events], .writeOnly), ([.read], nil),
        ] as [(CharacteristicPermissions, HAPStatus?)]
    )
    func readingNeedsThePermission(permissions: CharacteristicPermissions, status: HAPStatus?) throws {
        let database = try S.database(S.characteristic(S.first, permissions, adminOnly: [.write]))
        let index = database.position(of: S.first)
        let read = database.readableIndex(of: CharacteristicAddress(database.characteristics[index].id), isAdmin: false)
        #expect(read == status.map { .failure(.init($0)) } ?? .success(index))
    }

    @Test(arguments: [(0, 5), (5, 0), (1, 1), (1, 999), (9, 2)] as [(UInt64, UInt64)])
    func readingAMissingCharacteristicFails(aid: UInt64, iid: UInt64) throws {
        let database = try S.database(S.characteristic())
        let read = database.readableIndex(of: CharacteristicAddress(aid: aid, iid: iid), isAdmin: true)
        #expect(read == .failure(.init(.doesNotExist)))
    }
}
