internal import AccessoryModel
internal import Documents
internal import HAPCore

extension ArchiveReader {
    /// Returns the category of the server, or Other if it is missing.
    mutating func category(of part: LocatedObject) throws(DocumentError) -> AccessoryCategory {
        try integer("category", of: part, "is not a category, which is 1 to 255; 1, Other, is used") { number in
            UInt8(exactly: number).flatMap { AccessoryCategory($0) }
        } ?? .other
    }

    /// Returns the device ID from its six bytes.
    mutating func deviceID(of part: LocatedObject) throws(DocumentError) -> DeviceID? {
        var value = try field("identifier", of: part.object)
        if case .object(let identifier) = value {
            value = try field("data", of: identifier)
        }
        switch value {
        case .data(let bytes) where bytes.count == 6:
            return DeviceID(bytes.map(\.paddedHexadecimal).joined(separator: ":"))
        case .null: return nil
        case let other:
            warn(
                part.path(of: "identifier"),
                "\(other.kind) is not a device ID of 6 bytes; a new one will be generated"
            )
            return nil
        }
    }

    /// Returns the setup code, which HAS calls password.
    mutating func setupCode(of part: LocatedObject) throws(DocumentError) -> SetupCode? {
        guard let text = try text("password", of: part) else { return nil }
        guard let code = SetupCode(text) else {
            // The message does not quote it: an invalid code may differ from a real one in a single digit.
            warn(
                part.path(of: "password"),
                "this is not a setup code of the form XXX-XX-XXX, or HAP forbids it; a new one will be generated"
            )
            return nil
        }
        return code
    }

    /// Returns the setup ID.
    mutating func setupID(of part: LocatedObject) throws(DocumentError) -> SetupID? {
        guard let text = try text("setupID", of: part) else { return nil }
        if let setupID = SetupID(text) { return setupID }
        warn(
            part.path(of: "setupID"),
            "\(text.excerpt) is not a setup ID of four digits or capital letters; a new one will be generated"
        )
        return nil
    }

    /// Returns the configuration number of the first transport that has one.
    mutating func configurationNumber(of part: LocatedObject) throws(DocumentError) -> UInt16? {
        let path = part.path(of: "transports")
        let places = try list("transports", of: part)
        if places.count > 1 {
            warn(path, "there are \(places.count) transports; the first one is used")
        }
        guard let place = places.first else { return nil }
        guard case .object(let object) = try archive.value(place) else {
            warn("\(path)[0]", "this is not a transport; it is left out")
            return nil
        }
        let transport = LocatedObject(object: object, path: "\(path)[0]")
        try warnAboutUnknown(in: transport, classes: ["HAKIPTransport"], keys: Self.transportKeys)
        let reason = "is not a configuration number, which is 1 to 65535; 1 is used"
        return try integer("config", of: transport, reason) { UInt16(exactly: $0).flatMap { $0 > 0 ? $0 : nil } }
    }

    /// Adds warnings for properties of a bridged accessory that only its server can have.
    mutating func warnAboutServer(
        of part: LocatedObject,
        aid: AccessoryID?,
        behind bridge: DeviceID?
    ) throws(DocumentError) {
        let category = try field("category", of: part.object)
        if category != .null, category != .number(.unsigned(UInt64(AccessoryCategory.other.rawValue))) {
            warn(part.path(of: "category"), "a bridged accessory has no category; it is left out")
        }
        let own = try deviceID(of: part)
        if let own, own != DerivedIdentity(behind: bridge, aid: aid).deviceID {
            warn(part.path(of: "identifier"), "a bridged accessory has no device ID; it is left out")
        }
        for (key, name) in [("password", "setup code"), ("setupID", "setup ID")] {
            if try field(key, of: part.object) != .null {
                warn(part.path(of: key), "a bridged accessory has no \(name); it is left out")
            }
        }
        if !(try list("transports", of: part)).isEmpty {
            warn(part.path(of: "transports"), "a bridged accessory has no transport; it is left out")
        }
    }

    private static let transportKeys: Set<String> = [
        "HAK.config", "HAK.started", "HAK.protocolVersion", "HAK.idPool", "HAK.primaryAccessory", "HAK.state",
        "HAK.transportVersion",
    ]
}
