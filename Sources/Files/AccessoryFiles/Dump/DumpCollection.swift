internal import Documents
internal import HAPCore

/// A file with the dumps of several devices, by device ID.
///
/// Home Assistant stores its HomeKit devices as `.storage/homekit_controller-entity-map`, and exports one of them as
/// diagnostics. aiohomekit stores only the `pairings` of the entity map.
struct DumpCollection {
    /// The response of a device.
    struct Device {
        /// The device ID in the file, or `nil` if it is missing.
        let id: String?
        let accessories: JSONValue
    }

    /// The devices that have accessories, in the order of the file.
    let devices: [Device]
    /// The IDs of the devices without accessories, whose database was not read yet.
    private(set) var emptyDevices: [String] = []

    /// The maximum number of bytes of a device ID, because every message repeats it.
    private static let longestID = 64

    /// Creates a collection; returns `nil` if the file is a single dump.
    init?(_ root: JSONValue) {
        guard let object = root.object else { return nil }
        let data = object["data"]?.object
        if let accessories = data?["entity-map"] {
            devices = [Device(id: nil, accessories: accessories)]
            return
        }
        let pairings = data?["pairings"]?.object ?? object
        let isCollection =
            pairings.members.allSatisfy { $0.value.object != nil }
            && pairings.members.contains { $0.value.object?["accessories"] != nil }
        guard data?["pairings"] != nil || data == nil && isCollection else { return nil }
        var devices: [Device] = []
        for member in pairings.members where member.key.utf8.count <= Self.longestID {
            if let accessories = member.value.object?["accessories"], accessories.array?.isEmpty != true {
                devices.append(Device(id: member.key, accessories: accessories))
            } else {
                emptyDevices.append(member.key)
            }
        }
        self.devices = devices
    }

    /// Returns the warnings about the devices that cannot be served.
    func warnings(name: String) -> [Diagnostic] {
        guard !emptyDevices.isEmpty else { return [] }
        let ids = emptyDevices.prefix(20).map(\.excerpt).joined(separator: ", ")
        let more = emptyDevices.count > 20 ? " …" : ""
        return [
            Diagnostic(
                .warning,
                in: name,
                "the file has no accessories of the devices \(ids)\(more); they are left out"
            )
        ]
    }

    /// Returns the device with a device ID, or the only device if `id` is `nil`.
    ///
    /// An ID with the same case takes precedence; otherwise case is ignored.
    func device(_ id: String?) -> Device? {
        guard let id else { return devices.count == 1 ? devices.first : nil }
        return devices.first { $0.id == id } ?? devices.first { $0.id?.lowercased() == id.lowercased() }
    }
}
