import HAPCore
import Testing

@testable import AccessoryModel

/// Tests which subscribers a change is sent to.
///
/// HAP: §14, §0 (withheld from the writer)
@Suite struct ValueChangeTests {
    @Test(
        "A changed value is sent to every subscriber, but to the writer only if it did not write that value",
        arguments: [
            // before, after, written, everyone, writer
            (1, 2, 2, true, false), (1, 1, 1, false, false), (1, 2, nil, true, true), (1, 1, nil, false, false),
            (1, 3, 2, true, true), (1, 1, 2, false, true), (nil, 1, 1, true, false), (nil, nil, nil, false, false),
            (1, nil, nil, true, true),
        ] as [(Int?, Int?, Int?, Bool, Bool)]
    )
    func changeNotifiesTheExpectedRecipients(before: Int?, after: Int?, written: Int?, everyone: Bool, writer: Bool)
        throws
    {
        let id = try #require(CharacteristicID(1, 2))
        let change = ValueChange(
            index: 0,
            id: id,
            previous: before.map { .integer($0) },
            value: after.map { .integer($0) },
            writtenValue: written.map { .integer($0) },
            isButton: false
        )
        #expect(change.notifiesSubscribers == everyone)
        #expect(change.notifiesWriter == writer)
    }

    @Test func buttonPressConcernsEveryoneWithAnyValue() throws {
        let id = try #require(CharacteristicID(1, 2))
        let change = ValueChange(index: 0, id: id, previous: 0, value: 0, writtenValue: nil, isButton: true)
        #expect(change.notifiesSubscribers)
        #expect(change.notifiesWriter)
    }

    @Test func severalChangesOfOneCharacteristicAreMerged() throws {
        var database = try Sample.database(Sample.characteristic(value: 1), Sample.characteristic(Sample.second))
        var changes = ChangeSet()
        let index = database.position(of: Sample.first)
        #expect(changes.isEmpty)
        #expect(database.setValue(2, at: index, into: &changes))
        #expect(database.setValue(9, at: database.position(of: Sample.second), into: &changes))
        #expect(database.setValue(3, at: index, into: &changes))
        #expect(changes.changes.map(\.index) == [index, database.position(of: Sample.second)])
        #expect(changes.changes.first?.previous == 1)
        #expect(changes.changes.first?.value == 3)
        #expect(database.setValue(1, at: index, into: &changes))
        #expect(changes.changes.first?.notifiesSubscribers == false)
    }

    @Test(arguments: [1, 15, 16, 17, 18, 40])
    func eachChangedCharacteristicHasOneChange(count: Int) throws {
        let id = try #require(CharacteristicID(1, 2))
        let indices = (0..<count).reversed().map { 7 * $0 }
        var changes = ChangeSet()
        for round in 1...3 {
            for index in indices {
                changes.merge(
                    ValueChange(
                        index: index,
                        id: id,
                        previous: .integer(round - 1),
                        value: .integer(round),
                        writtenValue: nil,
                        isButton: false
                    )
                )
            }
        }
        #expect(changes.changes.map(\.index) == indices)
        #expect(changes.changes.allSatisfy { $0.previous == 0 && $0.value == 3 })
    }

    @Test func undoneWriteConcernsOnlyTheWriter() throws {
        var database = try Sample.database(Sample.characteristic(value: 1))
        var changes = ChangeSet()
        let index = database.position(of: Sample.first)
        _ = database.commit([AcceptedWrite(index: index, value: 2)], at: .zero, into: &changes)
        #expect(database.setValue(1, at: index, into: &changes))
        #expect(changes.changes.map(\.writtenValue) == [2])
        #expect(changes.changes.map(\.notifiesSubscribers) == [false])
        #expect(changes.changes.map(\.notifiesWriter) == [true])
    }

    @Test func invalidReportChangesNothing() throws {
        var database = try Sample.database(Sample.characteristic(value: 1))
        var changes = ChangeSet()
        let index = database.position(of: Sample.first)
        for value: CharacteristicValue in [256, -1, 0.5, "1", .data([1])] {
            #expect(!database.setValue(value, at: index, into: &changes))
        }
        #expect(changes.isEmpty)
        #expect(database.value(at: index) == 1)
    }

    @Test func reportWithoutAValueRemovesTheValue() throws {
        var database = try Sample.database(Sample.characteristic(value: 1))
        var changes = ChangeSet()
        let index = database.position(of: Sample.first)
        #expect(database.setValue(nil, at: index, into: &changes))
        #expect(database.value(at: index) == nil)
        #expect(changes.changes.map(\.notifiesSubscribers) == [true])
    }
}
