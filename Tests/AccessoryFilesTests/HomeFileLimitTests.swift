import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Testing

@testable import HomeModel

/// Tests the limits of a home file.
struct HomeFileLimitTests {
    @Test(arguments: [AccessoryFileKind.yaml, .json])
    func unreadableOutputIsNotWritten(kind: AccessoryFileKind) throws {
        let name = String(repeating: "x", count: 60)
        var document = HomeDocument(homes: [HomeDescription(name: Located(try ObjectName("House")))])
        document.homes[0].scenes = [
            Named(
                Located(try ObjectName("Night")),
                SceneContent(
                    actions: (0..<20_000)
                        .map { Action(characteristic: Located("\(name) \($0)/On"), value: Located("true")) }
                )
            )
        ]
        let error = #expect(throws: DocumentError.self) {
            _ = try HomeFile.write(document, as: kind, name: "big")
        }
        #expect(error?.diagnostics.first?.file == "big")
        #expect(
            error?.diagnostics.first?.reason
                .hasPrefix("the home file cannot be written, because hap could not read it again: ") == true
        )
        document.homes[0].scenes[0].content.actions.removeLast(19_000)
        let bytes = try HomeFile.write(document, as: kind, name: "big")
        #expect(try HomeFile.read(bytes, name: "big") == document)
    }

    @Test(arguments: [(1_024, 0), (1_025, 2)])
    func propertyNameIsLimitedToAThousandBytes(length: Int, count: Int) {
        let text = """
            home: House
            scenes: { A: [{ set: &long "\(String(repeating: "x", count: length))", to: true }] }
            automations: { B: { when: { characteristic: *long, changes: true }, run: [A] } }
            """
        #expect(Self.diagnostics(of: text).count { $0.reason.contains("not a property") } == count)
    }

    @Test
    func totalLengthOfValuesIsLimited() {
        let long = String(repeating: "x", count: 300_000)
        func text(_ count: Int) -> String {
            let actions = (1..<count).map { "  - { set: L/P\($0), to: *long }\n" }.joined()
            return "home: House\nscenes:\n A:\n  - { set: L/P, to: &long \"\(long)\" }\n\(actions)"
        }
        #expect(Self.diagnostics(of: text(3)).isEmpty)
        let findings = Self.diagnostics(of: text(6))
        #expect(findings.count == 3 && findings.allSatisfy { $0.reason.hasPrefix("the values of the file have more") })
    }

    @Test(arguments: [("[monday, weekend]", 0x61), ("[workdays, weekend]", 0x7F), ("workdays", 0x1F), ("[sun]", 0x40)])
    func daysAndDayGroupsCanBeCombined(text: String, days: UInt8) throws {
        let file = "home: House\nautomations: { A: { when: { time: 07:30, on: \(text) }, run: [B] } }\n"
        let document = try HomeFile.read(Array(file.utf8), name: "home.yaml")
        let trigger = document.homes[0].automations[0].content.triggers.first
        #expect(trigger == .timeOfDay(try #require(CivilTime("07:30")), .weekly(WeekdaySet(rawValue: days))))
    }

    private static func diagnostics(of text: String) -> [Diagnostic] {
        do throws(DocumentError) {
            _ = try HomeFile.read(Array(text.utf8), name: "home.yaml")
            return []
        } catch {
            return error.diagnostics
        }
    }
}
