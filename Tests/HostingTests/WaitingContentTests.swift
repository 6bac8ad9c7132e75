import Testing

@testable import Hosting

/// Files whose servers could not start.
struct WaitingContentTests {
    private func item(_ number: Int) -> FolderItem {
        FolderItem(file: DefinitionFileName("\(number).yaml"), device: nil)
    }

    @Test func serversThatCannotStartAreTriedOneAfterTheOther() {
        let start = ContinuousClock.now
        var waiting: [FolderItem: WaitingContent] = [:]
        for number in 0..<1_000 { waiting[item(number)] = .forOtherFiles.failing("No port is free.", at: start) }
        var attempts: [FolderItem: Int] = [:]
        // Half a second is the time between two checks.
        for check in 1...3_600 {
            let now = start.advanced(by: .milliseconds(500) * check)
            for item in waiting.due(afterChange: false, at: now) {
                attempts[item, default: 0] += 1
                waiting[item] = waiting[item]?.failing("No port is free.", at: now)
            }
        }
        #expect(attempts.values.reduce(0, +) <= 3_600)
        #expect(attempts.count == 1_000 && attempts.values.allSatisfy { $0 >= 2 })
    }

    @Test func filesThatWaitForOthersAreTriedAfterAChange() {
        let now = ContinuousClock.now
        let waiting = Dictionary(uniqueKeysWithValues: (1...3).map { (item($0), WaitingContent.forOtherFiles) })
        #expect(waiting.due(afterChange: false, at: now) == [])
        #expect(waiting.due(afterChange: true, at: now) == [item(1), item(2), item(3)])
    }
}
