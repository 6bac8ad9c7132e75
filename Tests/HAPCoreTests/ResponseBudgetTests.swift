import HAPCore
import Testing

/// The maximum size of all values in one response or event.
struct ResponseBudgetTests {
    private static let small = 1_000
    private static let megabytes = 2 << 20

    @Test(
        arguments: [
            (1, .max, [small], [true]), (1, .max, [megabytes], [true]), (1, .max, [4 << 20], [false]),
            (3, .max, [megabytes, small, small], [true, false, false]),
            (3, .max, [small, megabytes, small], [true, false, true]),
            (2, .max, [500_000, 600_000], [true, false]), (2, 100_000, [megabytes, small], [false, true]),
            (2, 100_000, [99_000, 98_000, 99_000], [true, false, false]), (4_096, 1_000, [small], [false]),
        ] as [(Int, Int, [Int], [Bool])]
    )
    func valuesHaveTheBudgetOrOneOfThemIsLarger(items: Int, available: Int, sizes: [Int], admitted: [Bool]) {
        var budget = ResponseBudget(itemCount: items, availableBytes: available)
        let taken = sizes.map { budget.reserveValue($0) }
        #expect(taken == admitted)
    }
}
