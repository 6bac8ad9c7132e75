import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct ThermostatTests {
    /// A climate without a daily cycle, so that a test can calculate temperatures.
    ///
    /// When heating, the temperature approaches 58 °C, which is 40 °C above the start, with a time constant of 12 h.
    private static let even = ClimateConfiguration(outside: 10, dailyAmplitude: 0)

    private static func thermostat(
        _ configuration: ClimateConfiguration = even,
        mode: Int = 0,
        room: CharacteristicValue = 18,
        target: CharacteristicValue = 21,
        more: [CharacteristicType: CharacteristicValue] = [:]
    ) -> BehaviorOwner<Thermostat> {
        var owner = BehaviorOwner(
            Thermostat(configuration),
            keeping: [
                .currentHeatingCoolingState: 0, .targetHeatingCoolingState: .integer(mode), .currentTemperature: room,
                .targetTemperature: target, .temperatureDisplayUnits: 0,
            ]
            .merging(more) { $1 }
        )
        _ = owner.start()
        return owner
    }

    private static func texts(_ reported: [String]) -> [String] {
        reported.map { $0.split(separator: ": ").dropFirst().joined() }
    }

    @Test func theRoomWarmsInStepsUntilTheTargetIsReached() {
        var thermostat = Self.thermostat()
        #expect(thermostat.write(.targetHeatingCoolingState, 1).changes.reported == "CurrentHeatingCoolingState 1")
        let reported = thermostat.live(for: .seconds(3_400))
        #expect(
            Self.texts(reported) == [
                "CurrentTemperature 18.5", "CurrentTemperature 19", "CurrentTemperature 19.5", "CurrentTemperature 20",
                "CurrentTemperature 20.5", "CurrentHeatingCoolingState 0, CurrentTemperature 21",
            ]
        )
        // 12 h · ln(40 / 39.5) and 12 h · ln(40 / 37).
        #expect(reported.first?.hasPrefix("543.") == true)
        #expect(reported.last?.hasPrefix("3367.") == true)
    }

    @Test func heatingRestartsBelowTheTargetByTheHysteresis() {
        var thermostat = Self.thermostat(mode: 1, room: 21)
        #expect(thermostat.values[.currentHeatingCoolingState] == 0)
        let reported = thermostat.live(for: .seconds(2_100))
        // 12 h · ln(11 / 10.5).
        #expect(reported.first?.hasPrefix("2009.") == true)
        #expect(Self.texts(reported) == ["CurrentHeatingCoolingState 1, CurrentTemperature 20.5"])
    }

    @Test(arguments: [(0, 0.001), (1, 0.501)])
    func aJumpOverACenturyEndsAtThatHoursTemperature(mode: Int, tolerance: Double) throws {
        var days = Self.thermostat(ClimateConfiguration(), mode: mode)
        var century = days
        for _ in 0..<60 {
            _ = days.advance(by: .seconds(86_400))
        }
        _ = days.advance(by: .seconds(5 * 3_600))
        _ = century.advance(by: .seconds(36_500 * 86_400 + 5 * 3_600))
        #expect(century.reading("outside") == days.reading("outside"))
        let rooms = (try #require(century.reading("room")), try #require(days.reading("room")))
        #expect(abs(rooms.0 - rooms.1) <= tolerance)
    }

    @Test func coolingWorksTheOtherWayRound() {
        var thermostat = Self.thermostat(.init(outside: 35, dailyAmplitude: 0), room: 24, target: 23)
        #expect(thermostat.write(.targetHeatingCoolingState, 2).changes.reported == "CurrentHeatingCoolingState 2")
        #expect(
            Self.texts(thermostat.live(for: .seconds(1_500))) == [
                "CurrentTemperature 23.5", "CurrentHeatingCoolingState 0, CurrentTemperature 23",
            ]
        )
        #expect(
            Self.texts(thermostat.live(for: .seconds(2_400))).first
                == "CurrentHeatingCoolingState 2, CurrentTemperature 23.5"
        )
    }

    @Test(arguments: [(15, 1), (19, 1), (22, 0), (27, 2)])
    func automaticModeStaysBetweenTheThresholds(room: Int, state: Int) {
        let thresholds: [CharacteristicType: CharacteristicValue] = [
            .heatingThresholdTemperature: 20, .coolingThresholdTemperature: 25,
        ]
        var thermostat = Self.thermostat(room: .integer(room), more: thresholds)
        _ = thermostat.write(.targetHeatingCoolingState, 3)
        #expect(thermostat.values[.currentHeatingCoolingState] == .integer(state))
    }

    @Test(arguments: [(20, 1), (21, 0), (22, 2)])
    func automaticModeWithoutThresholdsHoldsTheTarget(room: Int, state: Int) {
        var thermostat = Self.thermostat(room: .integer(room))
        _ = thermostat.write(.targetHeatingCoolingState, 3)
        #expect(thermostat.values[.currentHeatingCoolingState] == .integer(state))
    }

    @Test func raisingTheTargetSlightlyStartsHeatingAtOnce() {
        var thermostat = Self.thermostat(mode: 1, room: 21)
        #expect(thermostat.write(.targetTemperature, 21.1).changes.reported == "CurrentHeatingCoolingState 1")
        #expect(thermostat.write(.targetHeatingCoolingState, 0).changes.reported == "CurrentHeatingCoolingState 0")
    }

    @Test func anUnheatedRoomApproachesTheOutsideTemperature() {
        var thermostat = Self.thermostat(room: 20)
        _ = thermostat.advance(by: .seconds(12 * 3_600))
        // 10 + 10 / e.
        #expect(thermostat.reading("room").map { abs($0 - 13.678_794) < 1e-4 } == true)
        #expect(thermostat.values[.currentTemperature] == 14)
        _ = thermostat.advance(by: .seconds(1_000 * 3_600))
        #expect(thermostat.values[.currentTemperature] == 10.5)
        #expect(thermostat.device.nextDeadline == nil)
    }

    @Test func theOutsideTemperatureFollowsTheDay() {
        let thermostat = Self.thermostat(.init())
        let outside = [0, 6, 12, 18, 24].map { thermostat.reading("outside", in: .seconds($0 * 3_600 + 1)) }
        #expect(outside == [10, 14, 10, 6, 10])
    }

    @Test func pollingOnceReportsWhatPollingOftenDoes() {
        var often = Self.thermostat(.init(resolution: 0.1), mode: 1)
        var once = often
        for _ in 0..<1_000 {
            _ = often.advance(by: .milliseconds(259_200))
        }
        _ = once.advance(by: .seconds(259_200))
        #expect(often.values == once.values)
        #expect(often.device.nextDeadline == once.device.nextDeadline)
        #expect(often.reading("room") == once.reading("room"))
    }

    @Test func aDayOfHeatingSendsFewEvents() {
        var thermostat = Self.thermostat(.init(), mode: 1, room: 21)
        let reported = thermostat.live(for: .seconds(86_400))
        #expect(20...200 ~= reported.count)
        #expect((20.4...21.1).contains(thermostat.reading("room") ?? 0))
    }

    @Test func aSensedTemperatureIsAppliedAndContinues() {
        var thermostat = Self.thermostat(mode: 1, room: 22)
        let reported = thermostat.perform(.applySensorInput(BehaviorChange(.currentTemperature, 17.3)))?.reported
        #expect(reported == "CurrentHeatingCoolingState 1, CurrentTemperature 17.3")
        #expect(Self.texts(thermostat.live(for: .seconds(1_000))).first == "CurrentTemperature 17.5")
        #expect(thermostat.perform(.applySensorInput(BehaviorChange(.currentTemperature, "warm"))) == nil)
        #expect(
            thermostat.perform(.applySensorInput(BehaviorChange(.targetTemperature, 20))) == [
                BehaviorChange(.targetTemperature, 20)
            ]
        )
        #expect(thermostat.perform(.obstruct) == nil)
    }

    @Test func aSensedHumidityIsAppliedAndContinues() {
        var thermostat = Self.thermostat(
            more: [.currentRelativeHumidity: 40, .targetRelativeHumidity: 40]
        )
        _ = thermostat.write(.targetRelativeHumidity, 50)
        _ = thermostat.advance(by: .seconds(120))
        #expect(
            thermostat.perform(.applySensorInput(BehaviorChange(.currentRelativeHumidity, 48)))?.reported
                == "CurrentRelativeHumidity 48"
        )
        _ = thermostat.advance(by: .seconds(60))
        #expect(thermostat.values[.currentRelativeHumidity] == 49)
    }

    @Test func humidityFollowsItsTargetAPercentAMinute() {
        var thermostat = Self.thermostat(
            .init(outside: 18, dailyAmplitude: 0),
            more: [.currentRelativeHumidity: 40, .targetRelativeHumidity: 40]
        )
        _ = thermostat.write(.targetRelativeHumidity, 42)
        #expect(
            thermostat.live(for: .seconds(600)) == [
                "60.0: CurrentRelativeHumidity 41", "120.0: CurrentRelativeHumidity 42",
            ]
        )
    }

    @Test func heatingStaysOnAfterARestart() {
        var thermostat = BehaviorOwner(
            Thermostat(Self.even),
            keeping: [
                .currentHeatingCoolingState: 1, .targetHeatingCoolingState: 1, .currentTemperature: 20.8,
                .targetTemperature: 21,
            ]
        )
        #expect(thermostat.start() == [])
    }

    @Test(
        arguments: [
            (
                [:],
                "TargetHeatingCoolingState 0, TargetTemperature 20, CurrentHeatingCoolingState 0, CurrentTemperature 20"
            ),
            (
                [
                    .targetHeatingCoolingState: 9, .currentTemperature: "x", .targetTemperature: 20,
                    .currentHeatingCoolingState: -1,
                ],
                "TargetHeatingCoolingState 0, CurrentHeatingCoolingState 0, CurrentTemperature 20"
            ),
            (
                [
                    .targetHeatingCoolingState: 1, .currentTemperature: 15, .targetTemperature: 20,
                    .currentHeatingCoolingState: 0,
                ], "CurrentHeatingCoolingState 1"
            ),
        ] as [([CharacteristicType: CharacteristicValue], String)]
    )
    func itStartsConsistent(values: [CharacteristicType: CharacteristicValue], reported: String) {
        var thermostat = BehaviorOwner(Thermostat(Self.even), keeping: values)
        #expect(thermostat.start().reported == reported)
    }

    @Test(arguments: [
        (CharacteristicType.targetHeatingCoolingState, CharacteristicValue.integer(4), HAPStatus.invalidValue),
        (.targetTemperature, .number(.real(.nan)), .invalidValue), (.targetTemperature, "21", .invalidValue),
        (.currentTemperature, 20, .readOnly), (.currentHeatingCoolingState, 0, .readOnly),
    ])
    func unsupportedWritesAreRefused(type: CharacteristicType, value: CharacteristicValue, status: HAPStatus) {
        var thermostat = Self.thermostat(mode: 1)
        #expect(thermostat.write(type, value) == BehaviorResponse(refusals: [type: status]))
    }
}
