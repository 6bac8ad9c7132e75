import HomeKit

/// Uses the model as a person would, and prints what the tiles show; the only file of the app that knows Linux.
@main
struct Run {
    @MainActor
    static func main() async throws {
        let arguments = CommandLine.arguments
        HomeKitSettings.stateFolder = arguments[1]
        let accessory = arguments[2]
        HomeKitSettings.setupAnswer = { _ in HomeKitSetupAnswer(code: "031-45-154", accessory: accessory) }
        let model = HomeModel()
        try await wait("the home is there") { !model.homeName.isEmpty }
        show("at first", model)
        await model.addAccessory()
        try await wait("the tiles are there") { model.tiles.count == 2 }
        try await wait("the door is closed") { model.tiles.contains { $0.state == "Closed" } }
        show("added", model)
        guard let door = model.tiles.first(where: { $0.state == "Closed" }),
            let light = model.tiles.first(where: { $0.id != door.id })
        else { return }
        await model.tap(door)
        await model.tap(light)
        try await wait("the door opens") { model.tiles.contains { $0.state == "Opening" || $0.state == "Open" } }
        try await wait("the light is on") { model.tiles.contains { $0.state == "On" } }
        show("tapped", model)
        await model.setFadeRate([1, 2, 3.5, 20], of: light)
        await model.setBrightness([10, 20, 40], of: light)
        await model.rename(door, to: "Big Door")
        await model.move(door, toRoomNamed: "Garage")
        show("renamed and moved", model)
        await model.rename(light, to: "Big 🚪")
        print("error: \(model.lastError ?? "none")")
        print("waiting for the accessory to go away")
        fflush(nil)
        try await wait("the accessory is gone") { model.tiles.allSatisfy { $0.state == "No Response" } }
        show("gone", model)
        try await wait("the accessory is back") { model.tiles.allSatisfy { $0.state != "No Response" } }
        show("back", model)
        if let tile = model.tiles.first { await model.remove(tile) }
        show("removed", model)
        for event in model.events { print("  \(event)") }
    }

    @MainActor
    private static func show(_ when: String, _ model: HomeModel) {
        print("\(when): " + model.tiles.map { "\($0.name) in \($0.room): \($0.state)" }.joined(separator: "; "))
        fflush(nil)
    }

    @MainActor
    private static func wait(_ what: String, _ condition: () -> Bool) async throws {
        for _ in 0..<600 where !condition() { try await Task.sleep(for: .milliseconds(50)) }
        if !condition() { print("not within 30 s: \(what)") }
    }
}
