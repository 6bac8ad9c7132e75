import AccessoryModel
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that the same week produces the same results twice.
struct EngineDeterminismTests {
    private static func automations() throws -> [Automation] {
        let night = Condition<HomeIDs>.time(from: .sun(.sunset, offset: .zero), to: .sun(.sunrise, offset: .zero))
        let off = EndEvent<HomeIDs>.Effect.actions([TestHome.action(TestHome.light, false)])
        let seven = try #require(CivilTime("07:00"))
        return [
            try TestHome.automation(
                40,
                "Light the garage",
                when: .characteristic(TestHome.door, .equals(2)),
                if: night,
                end: EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)), off)
            ),
            try TestHome.automation(
                41,
                "Morning",
                when: .timeOfDay(seven, .weekly(.workdays)),
                scenes: [TestHome.movie]
            ),
            try TestHome.automation(
                42,
                "Dusk",
                when: .sun(.sunset, offset: .seconds(-900), .daily),
                if: .presence(.anyone),
                end: EndEvent<HomeIDs>(.after(.seconds(7_200)), .restore)
            ),
            try TestHome.automation(
                43,
                "Away",
                when: .presence(.lastLeaves),
                set: [TestHome.action(TestHome.lamp, false)]
            ),
            try TestHome.automation(
                44,
                "Chase",
                when: .characteristic(TestHome.lamp, .equals(false)),
                set: [TestHome.action(TestHome.lamp, true)]
            ),
            try TestHome.automation(
                45,
                "Back",
                when: .characteristic(TestHome.lamp, .equals(true)),
                if: .characteristic(TestHome.temperature, .above(20)),
                set: [TestHome.action(TestHome.lamp, false)]
            ),
            try TestHome.automation(46, "Air", when: .interval(.seconds(5_400), from: nil), isEnabled: false),
        ]
    }

    private static func week(seed: UInt64) throws -> (journal: [JournalEntry], text: [String]) {
        var generator = SeededRandom(seed: seed)
        var driver = try EngineDriver(try automations(), at: "2026-03-25 00:00")
        driver.obeys = true
        var text: [String] = []
        for _ in 0..<2_000 {
            text += driver.sleep(.seconds(Int(generator.next() % 600)))
            switch generator.next() % 8 {
            case 0: text += driver.observe(TestHome.door, .integer(generator.next() % 5))
            case 1: text += driver.observe(TestHome.temperature, .integer(generator.next() % 40))
            case 2: text += driver.observe(TestHome.lamp, .bool(Bool.random(using: &generator)))
            case 3: text += driver.observeInput(.presence(TestHome.anna, isHome: Bool.random(using: &generator)))
            case 4: text += driver.observeInput(.presence(TestHome.ben, isHome: Bool.random(using: &generator)))
            case 5: text += driver.observeInput(.unreachable(TestHome.garage))
            default: break
            }
        }
        return (driver.journal, text)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func theSameWeekTwiceGivesTheSameJournal(seed: UInt64) throws {
        let first = try Self.week(seed: seed)
        let second = try Self.week(seed: seed)
        #expect(first.journal == second.journal)
        #expect(first.text == second.text)
        // The week contains events, and its time never goes backwards.
        #expect(first.journal.count > 100)
        #expect(first.journal.contains { $0.event == .ran(.delay(.seconds(5_400))) } == false)
        #expect(zip(first.journal, first.journal.dropFirst()).allSatisfy { $0.instant <= $1.instant })
        let kinds = Set(first.text.words.map { $0.split(separator: " ").prefix(3).joined(separator: " ") })
        #expect(kinds.isSuperset(of: ["Morning ran: it", "Dusk ran: it", "Air did not"]), "\(kinds)")
    }

    @Test func runsNeverExceedTheLimit() throws {
        let journal = try Self.week(seed: 7).journal
        for name in Set(journal.map(\.name)) {
            let runs = journal.filter { entry in
                guard entry.name == name, case .ran = entry.event else { return false }
                return true
            }
            for (first, eleventh) in zip(runs, runs.dropFirst(10)) {
                #expect(first.instant.duration(to: eleventh.instant) >= .seconds(60))
            }
        }
    }
}
