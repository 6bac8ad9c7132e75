import HAPCore
import HomeModel
import HomeRuntime

/// That an accessory is in a home.
struct HomeMembership: Sendable {
    let home: ObjectName
    /// What the accessory is called there: a bridge without what is behind it.
    let accessory: ObjectName

    /// Where a server's accessories are, among the homes in a state folder; nothing where there are none, or none can be read.
    static func all(of server: DeviceID, in folder: String) async -> [HomeMembership] {
        guard (try? HomeStateStore.exists(in: folder)) == true,
            let store = try? await HomeStateStore.open(folder: folder)
        else { return [] }
        let homes = try? await store.homes().homes
        try? await store.close()
        return (homes?.homes ?? [])
            .compactMap { home in
                home.accessories.first { $0.reference?.server == server && $0.bridge == nil }
                    .map { HomeMembership(home: home.name, accessory: $0.name) }
            }
    }

    /// What it means that the accessory is not paired any more.
    var textOfLoss: String {
        "It stays in \(home) as \(accessory), with its scenes and automations, and does not answer there: "
            + "'hap home add-accessory CODE' pairs it again, "
            + "'hap home remove accessory \"\(accessory)\" --home \"\(home)\"' takes it out."
    }
}
