// Uses the controller's interface, to check that it is public.

import HAPController

func nearby(_ controller: Controller) async -> [DeviceID] {
    var found: [DeviceID] = []
    for await update in controller.discover() {
        switch update {
        case .appeared(let accessory), .changed(let accessory):
            if accessory.isPaired == false, let id = accessory.deviceID {
                found.append(id)
            }
        case .disappeared, .available: break
        case .unavailable(let error):
            print(error.reason, error.remedy)
            return found
        case .allForNow: return found
        }
    }
    return found
}

func pair(_ controller: Controller, scanned text: String) async throws -> PairedAccessory? {
    guard let payload = SetupPayload(parsing: text) else { return nil }
    return try await controller.pair(.matchingPayload, with: .payload(payload), as: "Lamp") { progress in
        if case .connecting(let place) = progress { print(place) }
    }
}

func follow(_ accessory: PairedAccessory, _ id: CharacteristicID) async throws {
    do {
        for try await change in await accessory.changes(of: [id]) {
            switch change {
            case .value(id, let value): print(value?.description ?? "nothing")
            case .value, .connected, .refused, .unreadable, .databaseChanged: break
            case .disconnected(let error): print(error)
            }
        }
    } catch {
        // The type of `error` is inferred as ControllerError.
        guard error.code == .closed else { throw error }
    }
}

func others(_ accessory: PairedAccessory) async throws -> [ControllerIdentifier] {
    try await accessory.pairings().filter { !$0.isAdmin }.map(\.identifier)
}

func kept(_ controller: Controller) async throws -> [String: AccessoryPairing] {
    Dictionary(try await controller.pairings().map { ($0.alias, $0.pairing) }, uniquingKeysWith: { $1 })
}
