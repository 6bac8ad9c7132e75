import AccessoryModel
import Documents
import HAPCore
import Testing

@testable import Simulation

/// Finding a name does not visit everything with a similar name.
@Suite struct SimulationNameCostTests {
    private static func bridge(_ services: Int, _ name: (Int) -> String) throws -> SimulationNames {
        var accessories: [Accessory] = []
        for place in 0..<services / 20 {
            let key = "Box \(place)"
            var services: [Service] = [
                Service.accessoryInformation(
                    name: key,
                    manufacturer: "Kilgo",
                    model: "Box",
                    serialNumber: key,
                    firmware: "1"
                )
            ]
            for number in 0..<20 {
                services.append(switchService("\(number)", name(place * 20 + number)))
            }
            accessories.append(Accessory(key: key, services: services))
        }
        return try SimulationNames(unstarted: [("House", accessories, false)])
    }

    private static func switchService(_ subtype: String, _ name: String) -> Service {
        Service(
            .switch,
            subtype: subtype,
            characteristics: [
                Characteristic(cataloged: .name, value: .string(name)), Characteristic(cataloged: .on, value: false),
            ]
        )
    }

    @Test(arguments: ["lamp17/on", "box0/lamp17/on", "house/box0/lamp17/on", "house/lamp17/switch/on", "box0/lamp17"])
    func lookupCostDoesNotGrowWithTheNumberOfServices(key: String) throws {
        let counts = try [200, 800]
            .map { services in
                let names = try Self.bridge(services) { "Lamp \($0)" }
                return names.index.candidateCount(for: key)
            }
        #expect(counts[0] == counts[1])
        #expect(counts[1] < 40)
    }

    @Test
    func suggestionsStayWithinTheBudgetOfTheRun() throws {
        let names = try Self.bridge(800) { "The lamp above the long table in the hall \($0)" }
        let suggestions = NameSuggestions(of: names.index, spelling: SpellingSuggester(budget: 2_000_000))
        var suggested = 0
        for number in 0..<100 {
            let target = SimulationTarget("The lapm abvoe the long tabel in the hall \(number)/On")
            do throws(SimulationError) {
                _ = try names.characteristic(target, suggestions)
            } catch {
                #expect(error.code == .unknownName)
                suggested += error.remedy.hasPrefix("Did you mean") ? 1 : 0
            }
        }
        #expect(1..<100 ~= suggested)
    }

    @Test
    func anErrorListsOnlyTheFirstCandidates() throws {
        let names = try Self.bridge(200) { _ in "Lamp" }
        let error = try #require(throws: SimulationError.self) { try names.characteristic("Lamp/On") }
        #expect(error.code == .ambiguousName)
        #expect(error.remedy.hasSuffix(" and 190 more."))
    }
}
