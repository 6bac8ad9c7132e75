import AccessoryModel
import HAPCore
import TestSupport
import Testing

/// Tests which subscribers are notified of a change.
///
/// HAP: §14
@Suite struct SubscriptionTableTests {
    private let one = SubscriberID(1)
    private let two = SubscriberID(2)

    @Test func subscribersAreListedInSubscriptionOrder() {
        var table = SubscriptionTable(count: 2)
        table.subscribe(two, to: 0)
        table.subscribe(one, to: 0)
        table.subscribe(two, to: 0)
        #expect(table.subscribers(of: 0) == [two, one])
        #expect(table.subscribers(of: 1).isEmpty)
        #expect(table.contains(one, 0))
        #expect(!table.contains(one, 1))
    }

    @Test func unsubscribingAffectsOneCharacteristicOfOneSubscriber() {
        var table = SubscriptionTable(count: 2)
        for index in 0..<2 {
            table.subscribe(one, to: index)
            table.subscribe(two, to: index)
        }
        table.unsubscribe(one, from: 0)
        table.unsubscribe(one, from: 0)
        #expect(table.subscribers(of: 0) == [two])
        #expect(table.subscribers(of: 1) == [one, two])
    }

    @Test func subscriptionsEndWithTheirConnection() {
        var table = SubscriptionTable(count: 3)
        for index in 0..<3 {
            table.subscribe(one, to: index)
        }
        table.subscribe(two, to: 1)
        table.removeAll(of: one)
        table.removeAll(of: one)
        #expect((0..<3).map(table.subscribers(of:)) == [[], [two], []])
        #expect(!table.contains(one, 0))
    }

    @Test(arguments: 0..<20)
    func tableMatchesASetOfPairs(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var table = SubscriptionTable(count: 8)
        var pairs: Set<[UInt64]> = []
        for _ in 0..<300 {
            let subscriber = UInt64.random(in: 0..<5, using: &generator)
            let index = Int.random(in: 0..<8, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0..<4:
                table.subscribe(SubscriberID(subscriber), to: index)
                pairs.insert([subscriber, UInt64(index)])
            case 4, 5:
                table.unsubscribe(SubscriberID(subscriber), from: index)
                pairs.remove([subscriber, UInt64(index)])
            default:
                table.removeAll(of: SubscriberID(subscriber))
                pairs = pairs.filter { $0[0] != subscriber }
            }
            for index in 0..<8 {
                let expected = pairs.filter { $0[1] == UInt64(index) }.map { $0[0] }.sorted()
                #expect(table.subscribers(of: index).map(\.rawValue).sorted() == expected)
                #expect((0..<5).filter { table.contains(SubscriberID($0), index) } == expected)
            }
        }
    }
}
