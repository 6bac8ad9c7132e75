import AccessoryModel
import HAPCore
import HomeModel

extension Benchmark {
    /// Reports to an engine with 1,000 automations that a lamp turns on and off.
    ///
    /// Each change runs one automation. Its condition depends on the sun, and its end is due five minutes later.
    static func automation(iterations: Int) throws -> Benchmark {
        var engine = try engine { lamp in .characteristic(BenchmarkHome.on(lamp), .equals(true)) }
        var now = BenchmarkHome.night
        for lamp in 0..<BenchmarkHome.count {
            _ = engine.observe(.value(BenchmarkHome.on(lamp), false), at: now)
        }
        var runs = 0
        return Benchmark(
            run: {
                for iteration in 0..<iterations {
                    let lamp = iteration % BenchmarkHome.count
                    now = now.advanced(by: .milliseconds(10))
                    runs += engine.observe(.value(BenchmarkHome.on(lamp), true), at: now).count
                    runs += engine.observe(.value(BenchmarkHome.on(lamp), false), at: now).count
                }
            },
            // Each run causes two engine actions: a request to set values, and a journal entry.
            check: { try expect(runs >= 2 * iterations) }
        )
    }

    /// Reports a value of a light sensor to an engine whose 1,000 automations all wait for this sensor; one of them
    /// runs.
    static func automationsOfOneSensor(iterations: Int) throws -> Benchmark {
        var engine = try engine { lamp in
            .characteristic(BenchmarkHome.lightLevel, .equals(.integer(lamp + 1)))
        }
        var now = BenchmarkHome.night
        _ = engine.observe(.value(BenchmarkHome.lightLevel, -1), at: now)
        var runs = 0
        return Benchmark(
            run: {
                for iteration in 0..<iterations {
                    now = now.advanced(by: .milliseconds(10))
                    let value = CharacteristicValue.integer(iteration % BenchmarkHome.count + 1)
                    runs += engine.observe(.value(BenchmarkHome.lightLevel, value), at: now).count
                }
            },
            check: { try expect(runs >= 2 * iterations) }
        )
    }

    private static func engine(trigger: (Int) -> Trigger<HomeIDs>) throws -> HomeEngine {
        HomeEngine(
            home: try BenchmarkHome.home(trigger: trigger),
            calendar: WinterCalendar(),
            startedAt: BenchmarkHome.night
        )
    }
}

/// Central European time in winter.
private struct WinterCalendar: CivilCalendar {
    func utcOffset(at instant: WallInstant) -> Int { 3_600 }
}
