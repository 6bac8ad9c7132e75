import AccessoryFiles
import Documents
import FuzzHarness
import HAPCore
import HomeModel

/// Edits of homes, which are written into the files that the homes were read from.
enum HomeEdit {
    /// Checks that the file of a home follows an edit.
    ///
    /// - Parameters:
    ///   - input: The file, whose bytes also select the edit.
    ///   - home: A home that was merged from the file.
    static func check(_ input: [UInt8], _ home: Home) {
        let unchanged = outcome { () throws(DocumentError) in
            try HomeFile.text(input, name: "home.yaml", changing: home, to: home)
        }
        claim((try? unchanged.get()) == input, "a file without an edit stays the same")
        let number = input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        var edited = home
        guard (try? edit(&edited, number)) != nil, HomeRules.violations(in: edited).isEmpty else { return }
        let result = outcome { () throws(DocumentError) in
            try HomeFile.text(input, name: "home.yaml", changing: home, to: edited)
        }
        switch result {
        case .failure(let error): claim(!error.diagnostics.isEmpty, "a refusal says why")
        case .success(let text):
            guard let document = try? HomeFile.read(text, name: "home.yaml") else {
                fatalError("does not hold: an edited file can be read")
            }
            claim(document.homes.contains { $0.name.value == edited.name }, "an edited file has its home")
        }
    }

    /// Makes one of several edits.
    private static func edit(_ home: inout Home, _ number: Int) throws(HomeError) {
        let names = ["Yes", "1", "Büro", "Kids' Room", "null"]
        let name = try ObjectName(names[number / 32 % names.count])
        func pick<Object>(_ ids: [ObjectID<Object>]) -> ObjectID<Object> {
            ids.isEmpty ? ObjectID(0) : ids[number / 256 % ids.count]
        }
        let services = home.accessories.lazy.flatMap(\.services).filter(\.isVisible).map(\.id)
        switch number % 16 {
        case 0: _ = try home.addRoom(named: name)
        case 1: try home.renameRoom(pick(home.rooms.map(\.id)), to: name)
        case 2: try home.removeRoom(pick(home.rooms.map(\.id)))
        case 3: _ = try home.addZone(named: name, rooms: home.rooms.prefix(2).map(\.id))
        case 4: try home.removeZone(pick(home.zones.map(\.id)))
        case 5: try home.renameAccessory(pick(home.accessories.map(\.id)), to: name)
        case 6: try home.moveAccessory(pick(home.accessories.map(\.id)), to: pick(home.rooms.map(\.id)))
        case 7: try home.removeAccessory(pick(home.accessories.map(\.id)))
        case 8: try home.renameService(pick(Array(services)), to: name)
        case 9: try home.moveService(pick(Array(services)), to: pick(home.rooms.map(\.id)))
        case 10: _ = try home.addScene(named: name, kind: .sleep)
        case 11: try home.renameScene(pick(home.scenes.map(\.id)), to: name)
        case 12: try home.removeScene(pick(home.scenes.map(\.id)))
        case 13: try home.renameAutomation(pick(home.automations.map(\.id)), to: name)
        case 14: try home.removeAutomation(pick(home.automations.map(\.id)))
        default:
            home.setTimeZone("Europe/Paris")
            _ = try home.addServiceGroup(named: name, services: Array(services.prefix(1)))
        }
    }
}
