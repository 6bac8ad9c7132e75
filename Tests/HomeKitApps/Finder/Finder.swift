import HomeKit

/// Finds accessories that can be paired, and adds the one of a setup payload, without a person.
@MainActor
final class Finder: NSObject, HMAccessoryBrowserDelegate {
    private let browser = HMAccessoryBrowser()
    private let manager = HMHomeManager()

    func run(payload: String) async throws {
        browser.delegate = self
        browser.startSearchingForNewAccessories()
        try await wait { !self.browser.discoveredAccessories.isEmpty }
        guard let found = browser.discoveredAccessories.first else { return print("nothing was found") }
        print("discovered: \(found.name), \(found.category.localizedDescription), \(found.model ?? "")")
        let home = try await manager.addHome(named: "Kilgo House")
        let room = try await home.addRoom(named: "Garage")
        let request = HMAccessorySetupRequest()
        request.payload = URL(string: payload).flatMap { HMAccessorySetupPayload(url: $0) }
        request.suggestedRoomUniqueIdentifier = room.uniqueIdentifier
        request.suggestedAccessoryName = "Big Garage"
        let result = try await HMAccessorySetupManager().performAccessorySetup(using: request)
        let added = home.accessories.filter { result.accessoryUniqueIdentifiers.contains($0.uniqueIdentifier) }
        for accessory in added {
            print("added: \(accessory.name) in \(accessory.room?.name ?? "")")
            for service in accessory.services where service.isUserInteractive {
                print(
                    "  \(service.name): \(service.characteristics.map(\.localizedDescription).joined(separator: ", "))"
                )
            }
        }
        try await wait { self.browser.discoveredAccessories.isEmpty }
        for accessory in added { try await home.removeAccessory(accessory) }
        try await wait { !self.browser.discoveredAccessories.isEmpty }
        browser.stopSearchingForNewAccessories()
        print("done")
    }

    nonisolated func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        print("found: \(accessory.name)")
    }

    nonisolated func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {
        print("gone: \(accessory.name)")
    }

    private func wait(_ condition: @escaping () -> Bool) async throws {
        for _ in 0..<600 where !condition() { try await Task.sleep(for: .milliseconds(50)) }
    }
}

@main
struct Run {
    static func main() async throws {
        HomeKitSettings.stateFolder = CommandLine.arguments[1]
        try await Finder().run(payload: CommandLine.arguments[2])
    }
}
