internal import AccessoryModel
internal import Documents
internal import HAPCore

extension ArchiveReader {
    /// The category of the server, Other where there is none.
    mutating func category(
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> AccessoryCategory {
        let path = "\(path).category"
        guard let number = try integer("HAK.category", of: object, at: path) else { return .other }
        guard let category = UInt8(exactly: number).flatMap({ AccessoryCategory($0) }) else {
            warn(path, "\(number) is no category, which is 1 to 255; 1, Other, is taken")
            return .other
        }
        return category
    }

    /// The six bytes of the device ID.
    mutating func deviceID(of object: ArchivedObject, at path: String) throws(DocumentError) -> DeviceID? {
        let path = "\(path).identifier"
        var value = try field("HAK.identifier", of: object)
        if case .object(let identifier) = value {
            value = try field("HAK.data", of: identifier)
        }
        switch value {
        case .data(let bytes) where bytes.count == 6:
            return DeviceID(bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":"))
        case .null: return nil
        case let other:
            warn(path, "\(other.kind) is no device ID of 6 bytes; a new one will be drawn")
            return nil
        }
    }

    /// The setup code, which HAS calls password.
    mutating func setupCode(of object: ArchivedObject, at path: String) throws(DocumentError) -> SetupCode? {
        let path = "\(path).password"
        guard let text = try text("HAK.password", of: object, at: path) else { return nil }
        guard let code = SetupCode(text) else {
            // A code that is none may still be most of somebody's.
            warn(path, "this is no setup code of the form XXX-XX-XXX, or one that HAP forbids; a new one will be drawn")
            return nil
        }
        return code
    }

    /// The setup ID.
    mutating func setupID(of object: ArchivedObject, at path: String) throws(DocumentError) -> SetupID? {
        let path = "\(path).setupID"
        guard let text = try text("HAK.setupID", of: object, at: path) else { return nil }
        guard let setupID = SetupID(text) else {
            warn(path, "\(text.excerpt) is no setup ID of four digits or capital letters; a new one will be drawn")
            return nil
        }
        return setupID
    }

    /// The configuration number of the first transport that has one.
    mutating func configurationNumber(
        of object: ArchivedObject,
        at path: String
    ) throws(DocumentError) -> UInt16? {
        let path = "\(path).transports"
        let places = try list("HAK.transports", of: object, at: path)
        if places.count > 1 {
            warn(path, "there are \(places.count) transports; the first one counts")
        }
        guard let place = places.first else { return nil }
        guard case .object(let transport) = try archive.value(place) else {
            warn("\(path)[0]", "this is no transport; it is left out")
            return nil
        }
        try noteUnknown(in: transport, classes: ["HAKIPTransport"], keys: Self.transportKeys, at: "\(path)[0]")
        guard let number = try integer("HAK.config", of: transport, at: "\(path)[0].config") else { return nil }
        guard let configuration = UInt16(exactly: number), configuration > 0 else {
            warn("\(path)[0].config", "\(number) is no configuration number, which is 1 to 65535; it begins with 1")
            return nil
        }
        return configuration
    }

    /// Notes what an accessory behind a bridge says that its server alone has.
    mutating func noteServer(
        of object: ArchivedObject,
        aid: AccessoryID?,
        behind bridge: DeviceID?,
        at path: String
    ) throws(DocumentError) {
        let category = try field("HAK.category", of: object)
        if category != .null, category != .number(.unsigned(UInt64(AccessoryCategory.other.rawValue))) {
            warn("\(path).category", "behind a bridge, an accessory has no category; it is left out")
        }
        let own = try deviceID(of: object, at: path)
        if let own, own != DerivedIdentity(behind: bridge, aid: aid).deviceID {
            warn("\(path).identifier", "behind a bridge, an accessory has no device ID; it is left out")
        }
        for (key, name) in [("password", "setup code"), ("setupID", "setup ID")] {
            if try field("HAK.\(key)", of: object) != .null {
                warn("\(path).\(key)", "behind a bridge, an accessory has no \(name); it is left out")
            }
        }
        if !(try list("HAK.transports", of: object, at: "\(path).transports")).isEmpty {
            warn("\(path).transports", "behind a bridge, an accessory has no transport; it is left out")
        }
    }

    private static let transportKeys: Set<String> = [
        "HAK.config", "HAK.started", "HAK.protocolVersion", "HAK.idPool", "HAK.primaryAccessory", "HAK.state",
        "HAK.transportVersion",
    ]
}
