internal import HAPCore

/// A file that holds the dumps of several devices, each under its device ID.
///
/// Home Assistant stores what it knows of HomeKit devices as `.storage/homekit_controller-entity-map`, and offers one of
/// them as diagnostics; aiohomekit stores the pairings of the former without what is around them.
struct DumpCollection {
    /// What a device answered.
    struct Device {
        /// The device ID, as the file has it; `nil` where it does not say.
        let id: String?
        let accessories: JSONValue
    }

    /// The devices that have accessories, in the order of the file.
    let devices: [Device]

    /// The most bytes of a device ID: it is repeated with every finding.
    private static let longestID = 64

    /// Returns `nil` for what is one dump.
    init?(_ root: JSONValue) {
        guard let object = root.object else { return nil }
        let data = object["data"]?.object
        if let accessories = data?["entity-map"] {
            devices = [Device(id: nil, accessories: accessories)]
            return
        }
        let pairings = data?["pairings"]?.object ?? object
        let isCollection = pairings.members.allSatisfy { $0.value.object?["accessories"] != nil }
        guard data?["pairings"] != nil || data == nil && isCollection && !pairings.members.isEmpty else { return nil }
        devices = pairings.members.compactMap { member in
            guard let accessories = member.value.object?["accessories"], accessories.array?.isEmpty != true,
                member.key.utf8.count <= Self.longestID
            else { return nil }
            return Device(id: member.key, accessories: accessories)
        }
    }

    /// Returns the device with a device ID, whose case matters only between two; without an ID, the only device.
    func device(_ id: String?) -> Device? {
        guard let id else { return devices.count == 1 ? devices.first : nil }
        return devices.first { $0.id == id } ?? devices.first { $0.id?.lowercased() == id.lowercased() }
    }
}
