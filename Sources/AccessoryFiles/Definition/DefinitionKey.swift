/// The keys of a definition of an accessory or a bridge.
enum AccessoryKey: String, CaseIterable {
    case schema = "$schema"
    case accessory, bridge, include, name, id, serverID, category, manufacturer, model, serialNumber, firmware
    case setupCode, setupID, deviceID, configuration, aid, ids, verbatim, services, accessories

    /// Those of a file with one accessory.
    static let alone: [AccessoryKey] = [
        .schema, .accessory, .id, .serverID, .category, .manufacturer, .model, .serialNumber, .firmware, .setupCode,
        .setupID, .deviceID, .configuration, .aid, .ids, .verbatim, .services,
    ]
    /// Those of a file with a bridge.
    static let bridging: [AccessoryKey] = [
        .schema, .bridge, .id, .serverID, .category, .manufacturer, .model, .serialNumber, .firmware, .setupCode,
        .setupID, .deviceID, .configuration, .aid, .ids, .verbatim, .services, .accessories,
    ]
    /// Those of an accessory behind a bridge.
    static let bridged: [AccessoryKey] = [
        .accessory, .id, .category, .manufacturer, .model, .serialNumber, .firmware, .aid, .ids, .services,
    ]
    /// Those of an accessory behind a bridge that stands in another file.
    static let including: [AccessoryKey] = [.include, .name, .id, .aid]
    /// Those that belong to a server, and to no accessory behind a bridge.
    static let ofServer: [AccessoryKey] = [.serverID, .setupCode, .setupID, .deviceID, .configuration, .verbatim]
    /// Those that become characteristics of Accessory Information.
    static let ofInformation: [AccessoryKey] = [.manufacturer, .model, .serialNumber, .firmware]
}

/// The keys of a service.
enum ServiceField: String, CaseIterable {
    case type, name, id, iid, primary, hidden, linked, simulate, complete, characteristics
}
