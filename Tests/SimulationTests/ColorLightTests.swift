import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct ColorLightTests {
    private static func light(
        _ configuration: LightConfiguration = .init(),
        _ values: [CharacteristicType: CharacteristicValue] = [
            .on: true, .brightness: 100, .hue: 0, .saturation: 0, .colorTemperature: 153,
        ]
    ) -> BehaviorOwner<ColorLight> {
        var owner = BehaviorOwner(ColorLight(configuration), keeping: values)
        #expect(owner.start() == [])
        return owner
    }

    @Test func brightnessFadesAsTheOutput() {
        var light = Self.light()
        #expect(light.write(.brightness, 20) == BehaviorResponse())
        #expect(light.reading("output", in: .milliseconds(500)) == 60)
        #expect(light.live(for: .seconds(9)) == [])
        #expect(light.reading("output") == 20)
    }

    @Test func aColorFadesAlongTheShorterArc() {
        var light = Self.light(.init(), [.on: true, .hue: 340, .saturation: 100])
        _ = light.write([BehaviorChange(.hue, 40), BehaviorChange(.saturation, 50)])
        #expect(light.reading("hue", in: .milliseconds(250)) == 355)
        #expect(light.reading("hue", in: .milliseconds(500)) == 10)
        #expect(light.reading("saturation", in: .milliseconds(500)) == 75)
        _ = light.advance(by: .seconds(1))
        #expect(light.reading("hue") == 40)
        #expect(light.device.nextDeadline == nil)
        #expect(light.reading("colorTemperature") == nil)
    }

    @Test(arguments: [
        // mired, the hue and the saturation of that white: warmer is more orange
        (153, 55, 2), (250, 27, 35), (400, 29, 73),
    ])
    func writingATemperatureSetsItsColor(mired: Int, hue: Int, saturation: Int) {
        var light = Self.light(.init(), [.on: true, .hue: 240, .saturation: 100, .colorTemperature: 200])
        _ = light.write(.colorTemperature, .integer(mired))
        #expect(light.values[.hue]?.number.map { abs($0.double - Double(hue)) <= 4 } == true)
        #expect(light.values[.saturation]?.number.map { abs($0.double - Double(saturation)) <= 4 } == true)
    }

    @Test func writingAColorSetsTheNearestTemperature() {
        var light = Self.light()
        for mired in [160, 250, 333, 400] {
            _ = light.write(.colorTemperature, .integer(mired))
            let white = [
                BehaviorChange(.hue, light.values[.hue] ?? 0),
                BehaviorChange(.saturation, light.values[.saturation] ?? 0),
            ]
            _ = light.write(white)
            #expect(light.values[.colorTemperature]?.integer.map { abs($0 - mired) <= 6 } == true)
        }
        _ = light.write([BehaviorChange(.hue, 240), BehaviorChange(.saturation, 100)])
        #expect(light.values[.colorTemperature].flatMap(\.integer).map { 153...400 ~= $0 } == true)
    }

    @Test func theLastWriteOfARequestWins() {
        let white = BehaviorChange(.colorTemperature, 300)
        let hue = BehaviorChange(.hue, 0)
        let saturation = BehaviorChange(.saturation, 0)
        var light = Self.light()
        #expect(light.write([hue, saturation, white]).changes.map(\.type) == [.hue, .saturation])
        light = Self.light()
        #expect(light.write([white, hue, saturation]).changes.map(\.type) == [.colorTemperature])
    }

    @Test func aLampReportsOnlyTheColorModesItHas() {
        var white = Self.light(.init(), [.on: true, .colorTemperature: 200])
        #expect(white.write(.colorTemperature, 300) == BehaviorResponse())
        #expect(white.reading("colorTemperature", in: .milliseconds(500)) == 250)
        var plain = Self.light(.init(), [.on: false])
        #expect(plain.write(.on, true) == BehaviorResponse())
        #expect(plain.device.readings(at: plain.now).map(\.name) == ["output"])
    }

    @Test(arguments: [(CharacteristicValue.integer(4), 4), (0, 0), (.number(.real(1e300)), 1_000_000_000)])
    func theFadeRateIsApplied(rate: CharacteristicValue, seconds: Int) {
        var light = Self.light(.init(fadeRate: KilgoGarage.fadeRate), [.on: true, .hue: 0, KilgoGarage.fadeRate: rate])
        _ = light.write(.hue, 90)
        #expect(light.device.nextDeadline == (seconds == 0 ? nil : light.now.advanced(by: .seconds(seconds))))
    }

    @Test func aLampWithoutStoredValuesIsOffAndRefusesInvalidColors() {
        var light = BehaviorOwner(ColorLight())
        #expect(light.start().reported == "On false")
        for type in [CharacteristicType.hue, .saturation, .colorTemperature, .brightness] {
            #expect(light.write(type, "red") == BehaviorResponse(refusals: [type: .invalidValue]))
        }
        #expect(light.perform(.stop) == nil)
        #expect(light.device.nextDeadline == nil)
    }

    @Test func aLightbulbIsPlainByDefault() {
        #expect(SimulationModel.defaultModel(for: .lightbulb)?.name == "dimmableLight")
        #expect(SimulationCatalog.model(named: "colorLight")?.model().behavior() is ColorLight)
    }
}
