import HAPCore
import Testing

/// Tests the search for the first element that meets a condition.
struct FirstPositionTests {
    @Test(arguments: 0...9)
    func firstPositionIsThatOfTheFirstElementThatMeetsTheCondition(count: Int) {
        let numbers = Array(0..<count)
        let slice = numbers.dropFirst(2)
        for limit in 0...count {
            let position = numbers.firstPosition { $0 >= limit }
            #expect(position == limit)
            let positionInSlice = slice.firstPosition { $0 >= limit }
            #expect(positionInSlice == max(limit, slice.startIndex))
        }
    }
}
