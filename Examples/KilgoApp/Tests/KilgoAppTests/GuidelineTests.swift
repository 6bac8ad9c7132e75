import Foundation
import HomeKit
import HomeKitTesting
import KilgoApp
import Testing

/// Tests of Apple's interface guidelines for HomeKit; the table in README.md says which test checks which guideline.
@MainActor
@Suite(.homeSimulator())
struct GuidelineTests {
    @Test func textsUseTheTermsOfTheHomeApp() throws {
        let texts = try Self.texts
        #expect(texts.count > 100)
        let words = ["service", "characteristic", "action set", "trigger", "homekit", "peripheral"]
        for text in texts {
            #expect(!words.contains { text.lowercased().contains($0) }, "\(text)")
        }
    }

    @Test func screensUseTheTermsOfTheHomeApp() async throws {
        let app = try await KilgoFixture()
        var texts = [app.list.title] + app.list.tiles.flatMap { [$0.name, $0.state, $0.room] }
        for tile in app.list.tiles {
            texts += try app.detail(tile).rows.flatMap { [$0.label, $0.value] }
            texts += try app.settings(tile).settings.flatMap { [$0.label, $0.text] }
        }
        for text in texts {
            #expect(!text.lowercased().contains("service") && !text.lowercased().contains("characteristic"), "\(text)")
            #expect(!text.contains("00001"), "A type is shown as a UUID: \(text)")
        }
    }

    @Test func accessoriesAreShownWithTheirRooms() async throws {
        let app = try await KilgoFixture()
        try await app.detail(try app.door).move(toRoom: "Garage")
        #expect(app.list.tiles.allSatisfy { $0.room == "Garage" })
        #expect(app.list.title == "Home")
    }

    @Test func namesOfTilesAreNotBrandsOrModels() async throws {
        let app = try await KilgoFixture()
        for tile in app.list.tiles {
            #expect(!tile.name.contains("Kilgo") && !tile.name.contains("KG-100"))
        }
    }

    @Test(arguments: ["Door 🚪", "Door!", "-Door", "Door-", "Door/2"])
    func namesThatAreNotAllowedAreExplained(name: String) async throws {
        let app = try await KilgoFixture()
        let detail = try app.detail(try app.door)
        let message = await failure { try await detail.rename(to: name) }
        #expect(message.contains("use letters, digits and spaces"), "\(message)")
    }

    @Test(arguments: ["Door 2", "Mike's Door", "Tür"])
    func namesThatAreAllowedAreAccepted(name: String) async throws {
        let app = try await KilgoFixture()
        try await app.detail(try app.door).rename(to: name)
        #expect(try app.door.name == name)
    }

    @Test func changesOfTheAppAreInTheHome() async throws {
        let app = try await KilgoFixture()
        try await app.detail(try app.door).rename(to: "Big Door")
        try await app.detail(try app.door).move(toRoom: "Garage")
        let other = try await app.simulator.makeManagerOfAnotherApp()
        let home = try #require(other.homes.first)
        #expect(home.rooms.map(\.name) == ["Garage"])
        #expect(home.accessories.first?.services.contains { $0.name == "Big Door" } == true)
    }

    @Test func changesOfOtherAppsAreShown() async throws {
        let app = try await KilgoFixture()
        let other = try await app.simulator.makeManagerOfAnotherApp()
        let home = try #require(other.homes.first)
        let room = try await home.addRoom(named: "Garage")
        let garage = try #require(home.accessories.first)
        try await home.assignAccessory(garage, to: room)
        try await garage.services.first { $0.name == "Garage Door" }?.updateName("Big Door")
        try await app.simulator.settle()
        #expect(try app.door.room == "Garage" && app.door.name == "Big Door")
        try await home.removeAccessory(garage)
        try await app.simulator.settle()
        #expect(app.list.tiles.isEmpty)
    }

    @Test(.homeSimulator(isPaired: false))
    func systemAsksForTheSetupCodeOnce() async throws {
        let app = try await KilgoFixture()
        try await app.store.addHome(named: "Home")
        let answer = app.simulator.setupAnswer
        let questions = Questions()
        app.simulator.setupAnswer = { question in
            await questions.add(question)
            return await answer(question)
        }
        try await app.store.addAccessory()
        #expect(await questions.homes == ["Home"])
    }

    @Test func removalNamesWhatIsRemovedWithIt() async throws {
        let app = try await KilgoFixture()
        #expect(try app.detail(try app.light).siblings == ["Garage Door"])
    }

    /// The string literals in the files with the texts of the app and of the terminal.
    private static var texts: [String] {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            let sources = try ["KilgoApp/AppText.swift", "kilgo/TerminalText.swift"]
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            let lines = sources.joined(separator: "\n").split(separator: "\n")
                .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            // Without the expressions in a literal, such as a name of HomeKit.
            return lines.joined(separator: "\n").replacing(#/\\\([^()]*(\([^()]*\)[^()]*)*\)/#, with: "")
                .matches(of: #/"([^"\n]*)"|"""\n((?:.|\n)*?)"""/#)
                .map { String($0.output.1 ?? $0.output.2 ?? "") }
        }
    }
}

private actor Questions {
    private(set) var homes: [String] = []

    func add(_ question: HomeKitSetupQuestion) { homes.append(question.home) }
}
