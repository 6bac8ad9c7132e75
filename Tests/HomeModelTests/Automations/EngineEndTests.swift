import AccessoryModel
import Testing

@testable import HomeModel

/// Tests how automations end.
struct EngineEndTests {
    private static let off = [TestHome.action(TestHome.light, false)]
    private static let opens = Trigger<HomeIDs>.characteristic(TestHome.door, .equals(2))
    private static let minute = Duration.seconds(60)

    /// Returns the automation for the garage light, as in the Kilgo home.
    private static func garage(_ end: EndEvent<HomeIDs>?, isEnabled: Bool = true) throws -> Automation {
        try TestHome.automation(40, "Garage", when: opens, end: end, isEnabled: isEnabled)
    }

    private static func driver(_ moment: EndEvent<HomeIDs>.Timing) throws -> EngineDriver {
        var driver = try EngineDriver([try garage(EndEvent<HomeIDs>(moment, .actions(off)))])
        driver.observe(TestHome.door, 1)
        return driver
    }

    @Test func itEndsAfterItsDelay() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        #expect(driver.observe(TestHome.door, 2).runs == ["RUN Garage: Garage Light=true"])
        #expect(driver.sleep(.seconds(299)).isEmpty)
        #expect(
            driver.sleep(.seconds(1)) == [
                "END Garage: Garage Light=false", "Garage ended: 5 min had passed.",
            ]
        )
        #expect(driver.sleep(.seconds(86_400)).isEmpty)
    }

    @Test func anotherRunRestartsTheDelay() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        driver.sleep(.seconds(200))
        #expect(driver.observe(TestHome.door, each: [0, 2]).runs.count == 1)
        #expect(driver.sleep(.seconds(299)).isEmpty)
        #expect(driver.sleep(.seconds(1)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func itEndsWhenATestBecomesTrue() throws {
        var driver = try Self.driver(.when(TestHome.door, .equals(1)))
        driver.observe(TestHome.door, 2)
        #expect(driver.sleep(.seconds(3_600)).isEmpty)
        #expect(driver.observe(TestHome.door, each: [0, 3]).isEmpty)
        #expect(
            driver.observe(TestHome.door, 1) == [
                "END Garage: Garage Light=false", "Garage ended: Garage Door/Current Door State is Closed.",
            ]
        )
        #expect(driver.observe(TestHome.door, each: [0, 1]).isEmpty)
    }

    @Test func itEndsFiveMinutesAfterTheDoorHasClosed() throws {
        var driver = try Self.driver(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)))
        driver.observe(TestHome.door, each: [2, 0, 3])
        #expect(driver.sleep(.seconds(3_600)).isEmpty)
        #expect(driver.observe(TestHome.door, 1) == ["Garage will end at 2026-06-01 13:05."])
        #expect(driver.sleep(.seconds(299)).isEmpty)
        #expect(driver.sleep(.seconds(1)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func theDelayStopsWhenTheDoorDoesNotStayClosed() throws {
        // The trigger is Opening, so it does not fire when the door is reported Open at once.
        var driver = try Self.driver(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)))
        driver.observe(TestHome.door, each: [2, 1])
        driver.sleep(.seconds(200))
        #expect(
            driver.observe(TestHome.door, 0) == [
                "Garage waits again for its end: Garage Door/Current Door State is Open."
            ]
        )
        #expect(driver.sleep(.seconds(600)).isEmpty)
        driver.observe(TestHome.door, 1)
        #expect(driver.sleep(.seconds(300)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func retriggeringDuringTheDelayRunsAgainAndRestartsIt() throws {
        var driver = try Self.driver(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)))
        driver.observe(TestHome.door, each: [2, 1])
        driver.sleep(.seconds(200))
        #expect(driver.observe(TestHome.door, 2).runs == ["RUN Garage: Garage Light=true"])
        #expect(driver.sleep(.seconds(600)).isEmpty)
        driver.observe(TestHome.door, 1)
        #expect(driver.sleep(.seconds(300)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func theValuesBeforeTheFirstRunAreRestored() throws {
        let automation = try TestHome.automation(
            40,
            "Garage",
            when: Self.opens,
            set: [TestHome.action(TestHome.light, true), TestHome.action(TestHome.brightness, 100)],
            end: EndEvent<HomeIDs>(.after(Self.minute), .restore)
        )
        var driver = try EngineDriver([automation])
        driver.obeys = true
        driver.observe(TestHome.light, false)
        driver.observe(TestHome.brightness, 30)
        driver.observe(TestHome.door, each: [1, 2])
        driver.sleep(.seconds(30))
        driver.observe(TestHome.door, each: [1, 2])
        #expect(driver.sleep(Self.minute).runs == ["END Garage: Garage Light=false, Garage Light=30"])
    }

    @Test func unknownValuesAreNotRestored() throws {
        var driver = try EngineDriver([try Self.garage(EndEvent<HomeIDs>(.after(Self.minute), .restore))])
        driver.observe(TestHome.door, each: [1, 2])
        #expect(
            driver.sleep(Self.minute) == [
                "Garage ended, but restored nothing: the values from before the run are not known."
            ]
        )
    }

    @Test func aDisabledAutomationStillEnds() throws {
        let end = EndEvent<HomeIDs>(.after(Self.minute), .actions(Self.off))
        var driver = try Self.driver(end.timing)
        driver.observe(TestHome.door, 2)
        #expect(try driver.replace([try Self.garage(end, isEnabled: false)]).isEmpty)
        #expect(driver.sleep(Self.minute).runs == ["END Garage: Garage Light=false"])
    }

    @Test func replacingTheHomeKeepsAPendingEnd() throws {
        let end = EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)), .actions(Self.off))
        var driver = try Self.driver(end.timing)
        driver.observe(TestHome.door, each: [2, 1])
        driver.sleep(.seconds(200))
        let another = try TestHome.automation(41, "Another", when: .presence(.firstArrives))
        #expect(try driver.replace([another, try Self.garage(end)]).isEmpty)
        #expect(driver.sleep(.seconds(100)).runs == ["END Garage: Garage Light=false"])
        // The known values are kept, so this change is an edge.
        #expect(driver.observe(TestHome.door, 2).runs == ["RUN Garage: Garage Light=true"])
    }

    @Test func aChangedEndCountsFromTheRun() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        driver.sleep(.seconds(50))
        #expect(
            try driver.replace([try Self.garage(EndEvent<HomeIDs>(.after(Self.minute), .actions(Self.off)))]).isEmpty
        )
        #expect(driver.sleep(.seconds(10)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func aRemovedEndIsCancelledAndInTheJournal() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        #expect(
            try driver.replace([try Self.garage(nil)]) == [
                "Garage was edited before its end and no longer has one."
            ]
        )
        driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        #expect(try driver.replace([]) == ["Garage was removed before its end."])
        #expect(driver.sleep(.seconds(3_600)).isEmpty)
    }

    @Test func anEndFiresAfterARestart() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        var next = EngineDriver(
            home: driver.home,
            at: driver.now.advanced(by: .seconds(100)),
            memory: driver.engine.state
        )
        #expect(next.sleep(.seconds(199)).isEmpty)
        #expect(next.sleep(.seconds(1)).runs == ["END Garage: Garage Light=false"])
    }

    @Test func anEndDueDuringARestartFiresAtOnce() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        var next = EngineDriver(
            home: driver.home,
            at: driver.now.advanced(by: .seconds(86_400)),
            memory: driver.engine.state
        )
        #expect(next.sleep(.zero).runs == ["END Garage: Garage Light=false"])
    }

    @Test func aDoorClosedDuringARestartIsDetected() throws {
        var driver = try Self.driver(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)))
        driver.observe(TestHome.door, 2)
        var next = EngineDriver(home: driver.home, at: driver.now, memory: driver.engine.state)
        // The value does not fire a trigger, but it fulfills the awaited end.
        #expect(next.observe(TestHome.door, 1).words == ["Garage will end at 2026-06-01 12:05."])
        #expect(next.sleep(.seconds(300)).runs == ["END Garage: Garage Light=false"])
    }

    /// Returns an engine that continues from the state of another one after the home was edited.
    private static func restart(_ driver: EngineDriver, _ automations: [Automation]) throws -> EngineDriver {
        EngineDriver(home: try TestHome.home(automations), at: driver.now, memory: driver.engine.state)
    }

    @Test func anEndEditedBetweenRunsStillFires() throws {
        let delay = EndEvent<HomeIDs>(.after(.seconds(300)), .actions(Self.off))
        let door = EndEvent<HomeIDs>(.when(TestHome.door, .equals(1)), .actions(Self.off))
        let both = EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), .seconds(60)), .actions(Self.off))
        // Changes the end from a delay to the door.
        var driver = try Self.driver(delay.timing)
        driver.observe(TestHome.door, 2)
        var next = try Self.restart(driver, [try Self.garage(door)])
        #expect(next.sleep(.seconds(3_600)).isEmpty)
        #expect(next.observe(TestHome.door, each: [0, 1]).runs == ["END Garage: Garage Light=false"])
        // Changes the end from the door to a delay, which counts from the run.
        for moment in [door.timing, both.timing] {
            driver = try Self.driver(moment)
            driver.observe(TestHome.door, 2)
            driver.sleep(.seconds(100))
            next = try Self.restart(driver, [try Self.garage(delay)])
            #expect(next.sleep(.seconds(199)).isEmpty)
            #expect(next.sleep(.seconds(1)).runs == ["END Garage: Garage Light=false"])
        }
        // Changes the delay.
        driver = try Self.driver(delay.timing)
        driver.observe(TestHome.door, 2)
        next = try Self.restart(driver, [try Self.garage(EndEvent<HomeIDs>(.after(Self.minute), .actions(Self.off)))])
        #expect(next.sleep(Self.minute).runs == ["END Garage: Garage Light=false"])
    }

    @Test func anEndRemovedBetweenRunsIsInTheJournal() throws {
        var driver = try Self.driver(.after(.seconds(300)))
        driver.observe(TestHome.door, 2)
        var next = try Self.restart(driver, [try Self.garage(nil)])
        #expect(next.engine.nextDeadline == next.now)
        #expect(next.sleep(.zero) == ["Garage was edited before its end and no longer has one."])
        #expect(next.sleep(.seconds(600)).isEmpty)
        next = try Self.restart(driver, [])
        #expect(next.sleep(.zero) == ["An automation was removed before its end."])
        #expect(next.sleep(.seconds(600)).isEmpty)
    }

    @Test func changingARunningDelayAdjustsItByTheDifference() throws {
        func end(_ seconds: Int64) -> EndEvent<HomeIDs> {
            EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), .seconds(seconds)), .actions(Self.off))
        }
        for (delay, rest) in [(400, 200), (250, 50), (201, 1), (200, 0), (60, 0)] as [(Int64, Int64)] {
            var driver = try Self.driver(end(300).timing)
            driver.observe(TestHome.door, each: [2, 1])
            driver.sleep(.seconds(200))
            #expect(try driver.replace([try Self.garage(end(delay))]).isEmpty)
            if rest > 0 {
                #expect(driver.sleep(.seconds(rest - 1)).isEmpty)
                driver.sleep(.milliseconds(500))
            }
            #expect(driver.sleep(.seconds(1)).runs == ["END Garage: Garage Light=false"], "\(delay)")
        }
    }

    @Test func changingADelayBeforeItStartsReplacesIt() throws {
        var driver = try Self.driver(.whenThenAfter(TestHome.door, .equals(1), .seconds(300)))
        driver.observe(TestHome.door, 2)
        let end = EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), Self.minute), .actions(Self.off))
        #expect(try driver.replace([try Self.garage(end)]).isEmpty)
        #expect(driver.sleep(.seconds(600)).isEmpty)
        driver.observe(TestHome.door, 1)
        #expect(driver.sleep(Self.minute).runs == ["END Garage: Garage Light=false"])
    }

    @Test func aChangedEndWhoseTestIsAlreadyTrueDoesNotWait() throws {
        for moment in [EndEvent<HomeIDs>.Timing.after(.seconds(300)), .when(TestHome.lamp, .equals(true))] {
            var driver = try Self.driver(moment)
            driver.observe(TestHome.door, each: [2, 1])
            let then = EndEvent<HomeIDs>(.whenThenAfter(TestHome.door, .equals(1), Self.minute), .actions(Self.off))
            #expect(try driver.replace([try Self.garage(then)]) == ["Garage will end at 2026-06-01 12:01."])
            #expect(driver.sleep(Self.minute).runs == ["END Garage: Garage Light=false"])
            driver = try Self.driver(moment)
            driver.observe(TestHome.door, each: [2, 1])
            let atOnce = EndEvent<HomeIDs>(.when(TestHome.door, .equals(1)), .actions(Self.off))
            #expect(try driver.replace([try Self.garage(atOnce)]).runs == ["END Garage: Garage Light=false"])
        }
    }

    @Test func aUserWhoArrivedBetweenRunsIsHome() throws {
        let automation = try TestHome.automation(40, "It", when: .presence(.lastLeaves))
        var driver = try EngineDriver([automation])
        driver.observeInput(.presence(TestHome.anna, isHome: false))
        var home = driver.home
        home.users[0].isHome = true
        var next = EngineDriver(home: home, at: driver.now, memory: driver.engine.state)
        #expect(next.observeInput(.presence(TestHome.anna, isHome: false)).runs.count == 1)
    }

    @Test func presenceIsKnownAfterARestart() throws {
        let automation = try TestHome.automation(40, "It", when: .presence(.lastLeaves))
        var driver = try EngineDriver([automation])
        driver.observeInput(.presence(TestHome.anna, isHome: true))
        var next = EngineDriver(home: driver.home, at: driver.now, memory: driver.engine.state)
        #expect(next.observeInput(.presence(TestHome.anna, isHome: false)).runs.count == 1)
    }
}
