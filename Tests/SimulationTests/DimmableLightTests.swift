import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct DimmableLightTests {
    private typealias Light = BehaviorOwner<DimmableLight>

    private static func light(
        on: Bool = false,
        brightness: CharacteristicValue = 100,
        fadeRate: CharacteristicValue? = 1
    ) -> BehaviorOwner<DimmableLight> {
        var owner = BehaviorOwner(
            DimmableLight(.init(fadeRate: KilgoGarage.fadeRate, fade: .seconds(4))),
            keeping: [.on: .bool(on), .brightness: brightness, .hue: 0, .saturation: 0]
                .merging(fadeRate.map { [KilgoGarage.fadeRate: $0] } ?? [:]) { $1 }
        )
        #expect(owner.start() == [])
        return owner
    }

    @Test func onReadsAsWrittenAtOnceWhileTheOutputFades() {
        var light = Self.light()
        #expect(light.write(.on, true) == BehaviorResponse())
        #expect(light.values[.on] == true)
        #expect(light.reading("output") == 0)
        #expect(light.reading("output", in: .milliseconds(250)) == 25)
        #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(1)))
        #expect(light.advance(by: .seconds(1)) == [])
        #expect(light.reading("output") == 100)
        #expect(light.device.nextDeadline == nil)
    }

    @Test func aFadeTakesTheFadeRateForAnyDistance() {
        var light = Self.light(on: true, brightness: 80)
        _ = light.write(.brightness, 60)
        #expect(light.reading("output", in: .milliseconds(500)) == 70)
        #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(1)))
    }

    @Test func aWriteDuringAFadeStartsFromTheCurrentOutput() {
        var light = Self.light()
        _ = light.write(.on, true)
        _ = light.advance(by: .milliseconds(400))
        _ = light.write(.on, false)
        #expect(light.reading("output") == 40)
        #expect(light.reading("output", in: .milliseconds(500)) == 20)
        #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(1)))
    }

    @Test func aCancelledFadeNeedsNoTime() {
        var light = Self.light()
        _ = light.write(.on, true)
        _ = light.write(.on, false)
        #expect(light.device.nextDeadline == nil)
        #expect(light.reading("output", in: .seconds(1)) == 0)
    }

    @Test func rapidSliderWritesEndAtTheLastOne() {
        var light = Self.light(on: true, brightness: 0)
        for level in 1...100 {
            _ = light.write(.brightness, .integer(level))
            _ = light.advance(by: .milliseconds(10))
        }
        #expect(light.reading("output").map { 0 < $0 && $0 < 100 } == true)
        #expect(light.advance(by: .seconds(1)) == [])
        #expect(light.reading("output") == 100)
    }

    @Test func aFadeRateOfZeroMakesTheOutputJump() {
        var light = Self.light(fadeRate: 0)
        _ = light.write(.on, true)
        #expect(light.reading("output") == 100)
        #expect(light.device.nextDeadline == nil)
    }

    @Test(arguments: [
        (CharacteristicValue.number(0.5), Duration.milliseconds(500)), (10, .seconds(10)), (.integer(-3), .zero),
    ])
    func aWrittenFadeRateAppliesToTheNextFade(rate: CharacteristicValue, fade: Duration) {
        var light = Self.light()
        _ = light.write(KilgoGarage.fadeRate, rate)
        #expect(light.device.nextDeadline == nil)
        _ = light.write(.on, true)
        #expect(light.device.nextDeadline == (fade == .zero ? nil : light.now.advanced(by: fade)))
    }

    @Test func theFadeRateOfARequestAppliesToItsOtherWritesInAnyOrder() {
        let rate = BehaviorChange(KilgoGarage.fadeRate, 5)
        let on = BehaviorChange(.on, true)
        for writes in [[rate, on], [on, rate]] {
            var light = Self.light()
            _ = light.write(writes)
            #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(5)))
        }
    }

    @Test func onAndBrightnessInOneRequestMakeOneFade() {
        var light = Self.light()
        _ = light.write([BehaviorChange(.on, true), BehaviorChange(.brightness, 30)])
        #expect(light.reading("output", in: .milliseconds(500)) == 15)
        _ = light.advance(by: .seconds(1))
        #expect(light.reading("output") == 30)
    }

    @Test(arguments: [
        [BehaviorChange(.on, true)], [BehaviorChange(.brightness, 100)],
        [BehaviorChange(.hue, 120), BehaviorChange(.saturation, 50)],
        [BehaviorChange(KilgoGarage.fadeRate, 9)], [BehaviorChange(.name, "Lamp")], [],
    ])
    func aWriteThatKeepsTheTargetOutputKeepsTheFade(writes: [BehaviorChange]) {
        var light = Self.light()
        _ = light.write(.on, true)
        let end = light.device.nextDeadline
        _ = light.advance(by: .milliseconds(300))
        #expect(light.write(writes) == BehaviorResponse())
        #expect(light.device.nextDeadline == end)
        #expect(light.reading("output") == 30)
    }

    @Test func brightnessIsRetainedWhileTheLampIsOff() {
        var light = Self.light()
        _ = light.write(.brightness, 40)
        #expect(light.values[.on] == false)
        #expect(light.device.nextDeadline == nil)
        _ = light.write(.on, true)
        _ = light.advance(by: .seconds(1))
        #expect(light.reading("output") == 40)
    }

    @Test func aRestartRestoresTheLampWithoutAFade() {
        let light = Self.light(on: true, brightness: 55)
        #expect(light.reading("output") == 55)
        #expect(light.device.nextDeadline == nil)
    }

    @Test func aLampWithoutStoredValuesIsOff() {
        var light = DimmableLight()
        #expect(light.start(with: [:], at: .zero) == [BehaviorChange(.on, false)])
        #expect(light.readings(at: .zero) == [DeviceReading("output", 0, unit: "%")])
    }

    @Test func aServiceWithoutBrightnessIsFullyOn() {
        var light = DimmableLight()
        _ = light.start(with: [.on: false], at: .zero)
        _ = light.write([BehaviorChange(.on, 1)], at: .zero)
        #expect(light.nextDeadline == MonotonicInstant(nanoseconds: 1_000_000_000))
        #expect(light.readings(at: MonotonicInstant(nanoseconds: .max)).first?.number == 100)
    }

    @Test func withoutAFadeRateTheDefaultDurationApplies() {
        var light = Self.light(fadeRate: nil)
        _ = light.write(.on, true)
        #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(4)))
    }

    @Test(arguments: [
        (CharacteristicType.on, CharacteristicValue.integer(2)), (.on, "true"), (.brightness, .number(.real(.nan))),
        (.brightness, "50"), (.brightness, true), (KilgoGarage.fadeRate, .number(.real(.infinity))),
        (KilgoGarage.fadeRate, .data([])),
    ])
    func aValueOfTheWrongKindIsRefusedAndChangesNothing(type: CharacteristicType, value: CharacteristicValue) {
        var light = Self.light(on: true)
        #expect(light.write(type, value) == BehaviorResponse(refusals: [type: .invalidValue]))
        #expect(light.device.nextDeadline == nil)
        #expect(light.reading("output") == 100)
    }

    @Test(arguments: [(-1e308, 0.0), (-1, 0), (100.5, 100), (1e308, 100)])
    func anOutOfRangeBrightnessIsClamped(brightness: Double, output: Double) {
        let light = Self.light(on: true, brightness: .number(.real(brightness)))
        #expect(light.reading("output") == output)
    }

    @Test func anExtremeFadeRateStillFades() {
        var light = Self.light(fadeRate: .number(.real(1e300)))
        _ = light.write(.on, true)
        #expect(light.device.nextDeadline == light.now.advanced(by: .seconds(1_000_000_000)))
    }

    @Test(arguments: [BehaviorCommand.stop, .obstruct, .clearObstruction])
    func aLampHasNoCommands(command: BehaviorCommand) {
        var light = Self.light()
        #expect(light.perform(command) == nil)
    }
}
