import AccessoryModel
import HAPCore
import Testing

/// Tests how accepted writes are passed to values and behaviors.
///
/// HAP: §13, §0 (grouping)
@Suite struct WriteGroupingTests {
    private func writes(
        _ database: AttributeDatabase,
        _ values: (CharacteristicType, CharacteristicValue)...
    ) -> [AcceptedWrite] {
        values.map { AcceptedWrite(index: database.position(of: $0.0), value: $0.1) }
    }

    private func behavior(_ database: AttributeDatabase, of service: Int) throws -> RecordingBehavior {
        try #require(database.services[service].behavior as? RecordingBehavior)
    }

    @Test func itemsOfOneServiceReachItsBehaviorAsOneOrderedGroup() throws {
        let other = Service(
            .switch,
            characteristics: [Sample.characteristic(Sample.second)],
            behavior: RecordingBehavior()
        )
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior()), other)
        var changes = ChangeSet()
        let refusals = database.commit(
            writes(database, (.saturation, 50), (Sample.second, 3), (.hue, 120), (.on, true)),
            at: .zero,
            into: &changes
        )
        #expect(refusals.isEmpty)
        let group = [BehaviorChange(.saturation, 50), BehaviorChange(.hue, 120), BehaviorChange(.on, true)]
        #expect(try behavior(database, of: 1).writes == [group])
        #expect(try behavior(database, of: 2).writes == [[BehaviorChange(Sample.second, 3)]])
        #expect(changes.changes.map(\.id.iid).count == 4)
        #expect(database.value(at: database.position(of: .hue)) == 120)
    }

    @Test func refusedItemIsNotWrittenButOthersAre() throws {
        let response = BehaviorResponse(refusals: [.hue: .notAllowedInCurrentState])
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior(response: response)))
        var changes = ChangeSet()
        let refusals = database.commit(
            writes(database, (.hue, 120), (.saturation, 50)),
            at: .zero,
            into: &changes
        )
        #expect(refusals == [database.position(of: .hue): .notAllowedInCurrentState])
        #expect(database.value(at: database.position(of: .hue)) == 0)
        #expect(database.value(at: database.position(of: .saturation)) == 50)
        #expect(changes.changes.map(\.index) == [database.position(of: .saturation)])
    }

    @Test func behaviorChangesFollowTheWritesAndMayOverrideThem() throws {
        let response = BehaviorResponse(changes: [BehaviorChange(.hue, 90), BehaviorChange(.on, true)])
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior(response: response)))
        var changes = ChangeSet()
        _ = database.commit(writes(database, (.hue, 120)), at: .zero, into: &changes)
        #expect(database.value(at: database.position(of: .hue)) == 90)
        #expect(database.value(at: database.position(of: .on)) == true)
        #expect(changes.changes.map(\.index) == [database.position(of: .hue), database.position(of: .on)])
        #expect(changes.changes.map(\.writtenValue) == [120, nil])
        #expect(changes.changes.map(\.notifiesWriter) == [true, true])
    }

    @Test func behaviorChangesFollowTheWritesOfAllServices() throws {
        let response = BehaviorResponse(changes: [BehaviorChange(.on, true)])
        let plain = Service(.switch, characteristics: [Sample.characteristic(Sample.second)])
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior(response: response)), plain)
        var changes = ChangeSet()
        _ = database.commit(writes(database, (.hue, 120), (Sample.second, 3)), at: .zero, into: &changes)
        let order = [CharacteristicType.hue, Sample.second, .on]
        #expect(changes.changes.map(\.index) == order.map(database.position(of:)))
    }

    @Test func behaviorChangeOfAMissingCharacteristicIsIgnored() throws {
        let response = BehaviorResponse(changes: [BehaviorChange(.brightness, 5)])
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior(response: response)))
        var changes = ChangeSet()
        _ = database.commit(writes(database, (.hue, 120)), at: .zero, into: &changes)
        #expect(changes.changes.map(\.index) == [database.position(of: .hue)])
    }

    @Test func withoutABehaviorTheWrittenValueIsStored() throws {
        var database = try Sample.database(Sample.light())
        var changes = ChangeSet()
        #expect(database.commit(writes(database, (.hue, 7)), at: .zero, into: &changes).isEmpty)
        #expect(database.value(at: database.position(of: .hue)) == 7)
        #expect(changes.changes.map(\.notifiesSubscribers) == [true])
        #expect(changes.changes.map(\.notifiesWriter) == [false])
    }

    @Test func writeOfTheCurrentValueReachesTheBehaviorWithoutNotification() throws {
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior()))
        var changes = ChangeSet()
        _ = database.commit(writes(database, (.hue, 0)), at: .zero, into: &changes)
        #expect(try behavior(database, of: 1).writes == [[BehaviorChange(.hue, 0)]])
        #expect(changes.changes.map(\.notifiesSubscribers) == [false])
        #expect(changes.changes.map(\.notifiesWriter) == [false])
    }

    @Test func aWriteOnlyValueIsNotStored() throws {
        var database = try Sample.database(Sample.characteristic(Sample.first, [.write]))
        var changes = ChangeSet()
        _ = database.commit(writes(database, (Sample.first, 7)), at: .zero, into: &changes)
        #expect(database.value(at: database.position(of: Sample.first)) == nil)
        #expect(changes.changes.map(\.value) == [7])
    }

    @Test func buttonPressIsNotStoredAndCountsWhenRepeated() throws {
        var database = try Sample.database(Characteristic(cataloged: .programmableSwitchEvent))
        let index = database.position(of: .programmableSwitchEvent)
        for _ in 0..<2 {
            var changes = ChangeSet()
            #expect(database.setValue(0, at: index, into: &changes))
            #expect(changes.changes.map(\.notifiesSubscribers) == [true])
            #expect(changes.changes.map(\.value) == [0])
            #expect(database.value(at: index) == nil)
        }
    }

    @Test func onlyDueBehaviorsAreAdvanced() throws {
        let late = RecordingBehavior(
            changesOnAdvance: [BehaviorChange(.on, true)],
            nextDeadline: MonotonicInstant(nanoseconds: 20)
        )
        let soon = RecordingBehavior(
            changesOnAdvance: [BehaviorChange(.hue, 5)],
            nextDeadline: MonotonicInstant(nanoseconds: 10)
        )
        var database = try Sample.database(
            Sample.light(subtype: "late", behavior: late),
            Sample.light(subtype: "soon", behavior: soon),
            Sample.light(subtype: "never", behavior: RecordingBehavior())
        )
        #expect(database.nextDeadline == MonotonicInstant(nanoseconds: 10))
        #expect(database.advanceBehaviors(to: MonotonicInstant(nanoseconds: 9)).isEmpty)
        let changes = database.advanceBehaviors(to: MonotonicInstant(nanoseconds: 10))
        #expect(changes.changes.map(\.value) == [5])
        #expect(database.nextDeadline == MonotonicInstant(nanoseconds: 20))
        #expect(try behavior(database, of: 1).advances.isEmpty)
        #expect(try behavior(database, of: 3).advances.isEmpty)
    }

    @Test func behaviorStartsWithTheCurrentValues() throws {
        var database = try Sample.database(Sample.light(behavior: RecordingBehavior()))
        database.restore([database.characteristics[database.position(of: .hue)].id: 33])
        #expect(database.startBehaviors(at: .zero).isEmpty)
        #expect(try behavior(database, of: 1).started == [[.on: false, .hue: 33, .saturation: 0]])
    }
}
