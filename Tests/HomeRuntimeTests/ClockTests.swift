import HomeModel
import HomeRuntime
import Synchronization
import Testing

@Suite("Clock and calendar of a home")
struct ClockTests {
    @Test("runs with the monotonic clock, and follows when the machine's time of day is set")
    func theClockFollowsTheMachine() {
        let readings = Mutex((wall: Int64(1_000_000_000_000), monotonic: Int64(5_000_000_000)))
        let clock = MachineClock { readings.withLock { $0 } }
        #expect(clock.now.seconds == 1_000)
        // A difference of 100 ms is ignored, but one of an hour is not.
        readings.withLock { $0 = (1_010_100_000_000, 15_000_000_000) }
        #expect(clock.now == WallInstant(nanoseconds: 1_010_000_000_000))
        readings.withLock { $0 = (4_610_000_000_000, 15_000_000_000) }
        #expect(clock.now.seconds == 4_610)
    }

    @Test("knows the summer time of each time zone", arguments: [("Europe/Berlin", 3_600, 7_200), ("UTC", 0, 0)])
    func theCalendarKnowsTimeZones(zone: String, winter: Int, summer: Int) throws {
        let home = Home(id: ObjectID(1), name: try ObjectName("Home"), timeZone: zone)
        let calendar = FoundationCalendar(of: home)
        #expect(calendar.utcOffset(at: WallInstant(seconds: 1_767_265_200)) == winter)
        #expect(calendar.utcOffset(at: WallInstant(seconds: 1_782_907_200)) == summer)
        #expect(!FoundationCalendar.isKnown("Europe/Kilgo"))
    }
}
