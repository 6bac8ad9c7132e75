import HAPCore
import Testing

@testable import Simulation

/// The descriptions of faults for people and files match the faults.
struct FaultCatalogTests {
    @Test func namesAreUniqueAndResolve() {
        let names = FaultCatalog.definitions.map(\.name)
        #expect(Set(names).count == names.count)
        for definition in FaultCatalog.definitions {
            #expect(FaultCatalog.definition(named: definition.name)?.name == definition.name)
            #expect(definition.effect().name == definition.name)
        }
        #expect(FaultCatalog.definition(named: "latencies") == nil)
    }

    @Test func everyEntryCanBeInjected() {
        for definition in FaultCatalog.definitions {
            #expect(!definition.scopes.isEmpty)
            #expect(definition.summary.hasSuffix("."))
            #expect(definition.realWorldExample?.hasSuffix(".") != false)
            #expect(definition.defaultLimit.count == nil || definition.occurrence.allowsCount)
            for parameter in definition.parameters {
                #expect(parameter.summary.hasSuffix("."))
            }
        }
    }

    @Test func quirksNameTheDevicesTheyImitate() {
        for definition in FaultCatalog.quirks {
            #expect(definition.realWorldExample != nil)
        }
    }

    static let effects: [(String, [String: SimulationArgument], FaultEffect)] = [
        ("latency", [:], .latency(.seconds(3)...(.seconds(3)), .any)),
        ("latency", ["delay": .duration(.seconds(1))], .latency(.seconds(1)...(.seconds(1)), .any)),
        (
            "latency", ["maximum": .duration(.seconds(9)), "requests": .choice("writes")],
            .latency(.seconds(3)...(.seconds(9)), .writes)
        ),
        ("latency", ["maximum": .duration(.seconds(1))], .latency(.seconds(3)...(.seconds(3)), .any)),
        ("status", [:], .status(.unableToPerform, .any)),
        ("status", ["code": .number(-70_408), "requests": .choice("reads")], .status(.timedOut, .reads)),
        ("status", ["code": .number(-70_408.5)], .status(.unableToPerform, .any)),
        ("status", ["code": .number(.infinity), "nonsense": .flag(true)], .status(.unableToPerform, .any)),
        ("silence", ["requests": .choice("everything")], .silence(.any)),
        ("halfResponse", ["requests": .choice("reads")], .halfResponse(.reads)),
        ("connectionLimit", ["maximum": .number(2)], .connectionLimit(2)),
        ("configurationNumber", ["number": .number(70_000)], .configurationNumber(65_535)),
        ("statusFlag", ["flags": .number(-3)], .statusFlag(0)),
        ("networkLoss", ["how": .choice("silence")], .networkLoss(.silence)),
        ("reboot", ["away": .duration(.seconds(2))], .reboot(away: .seconds(2))),
        ("splitSegments", ["bytes": .number(7)], .quirk(.splitSegments(bytes: 7))),
        ("coalescing", ["time": .choice("none")], .quirk(.coalescing(.none))),
    ]

    @Test(arguments: effects.indices)
    func argumentsMakeTheEffect(index: Int) throws {
        let (name, arguments, effect) = Self.effects[index]
        #expect(try #require(FaultCatalog.definition(named: name)).effect(arguments: arguments) == effect)
    }

    @Test(arguments: -70_412 ... -70_402)
    func everyStatusCodeInTheRangeIsAccepted(code: Int) throws {
        let definition = try #require(FaultCatalog.definition(named: "status"))
        let effect = definition.effect(arguments: ["code": .number(Double(code))])
        guard case .status(let status, .any) = effect else { throw Failure() }
        #expect(Int(status.rawValue) == code)
    }

    private struct Failure: Error {}
}
