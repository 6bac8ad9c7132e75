import AccessoryModel
import Testing

/// Tests which id follows which.
///
/// HAP: §11.1
struct IDAllocatorTests {
    private static let maximum = IdentifierMap.maximumID

    @Test func newIDFollowsTheGreatestOneAndSkipsReservedOnes() {
        var ids = IDAllocator(after: 1, besides: [3, 10])
        let given = [nil, nil, 3, nil, 8, nil, nil].map { ids.nextID(declared: $0) }
        #expect(given == [2, 4, 3, 5, 8, 9, 11])
    }

    @Test func declaredIDAboveTheMaximumDoesNotCount() {
        var ids = IDAllocator(after: 0)
        let given = ([Self.maximum + 1, .max, nil] as [UInt64?]).map { ids.nextID(declared: $0) }
        #expect(given == [Self.maximum + 1, .max, 1])
    }

    @Test func noFreeIDFollowsTheMaximum() {
        var ids = IDAllocator(after: Self.maximum - 1)
        let given = [nil, nil, 5, nil].map { ids.nextFreeID(declared: $0) }
        #expect(given == [Self.maximum, nil, 5, nil])
        #expect(ids.last == Self.maximum)
    }

    @Test(arguments: [1 << 53 - 1, 1 << 53, .max] as [UInt64])
    func afterTheMaximumTheSmallestFreeIDFollows(greatest: UInt64) {
        var ids = IDAllocator(besides: [1, 2, 4, greatest])
        let given = (0..<3).map { _ in ids.nextOrSmallestID() }
        #expect(given == [3, 5, 6])
    }
}
