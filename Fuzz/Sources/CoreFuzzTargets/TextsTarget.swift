import Discovery
import FuzzHarness
import HAPCore

/// Texts that users type or scan, or that are announced: setup payloads and codes, ids, UUIDs, TXT records, names, and
/// Base64.
enum TextsTarget: FuzzTarget {
    static let name = "texts"

    /// The first byte of an input.
    private enum Kind: UInt8, CaseIterable {
        case payload, code, setupID, deviceID, uuid, record, instanceName, base64, identifier
    }

    static var seeds: [String: [UInt8]] {
        var record = TXTRecord()
        for (key, value) in [("c#", "1"), ("id", "AA:BB:CC:DD:EE:FF"), ("md", "KG-100"), ("sf", "1")] {
            record.append(key, value)
        }
        let texts: [(Kind, String, String)] = [
            (.payload, "payload", "X-HM://0042RELOU7OSX"),
            (.payload, "payload-lower", "x-hm://0023isywy1rlh"),
            (.payload, "payload-paired", "X-HM://0042AAAAA0000"),
            (.code, "code", "101-48-005"),
            (.code, "code-digits", "10148005"),
            (.code, "code-forbidden", "123-45-678"),
            (.setupID, "setup-id", "7OSX"),
            (.deviceID, "device-id", "aa:bb:CC:dd:0e:ff"),
            (.uuid, "uuid-short", "3E"),
            (.uuid, "uuid-long", "0000003E-0000-1000-8000-0026BB765291"),
            (.uuid, "uuid-vendor", "7e536242-341c-4862-be90-272ce15bd633"),
            (.instanceName, "name", "  Kilgo\u{0}Garage é👨‍👩‍👧‍👦 "),
            (.base64, "base64", "AQIDBA=="),
            (.identifier, "identifier", "36FC8BDF-A0A7-45B8-B5A6-9B5B8A0F1C22"),
        ]
        var seeds = Dictionary(uniqueKeysWithValues: texts.map { ($0.1, [$0.0.rawValue] + Array($0.2.utf8)) })
        seeds["record"] = [Kind.record.rawValue] + record.wireBytes
        for (key, value) in [("ff", "0"), ("pv", "1.1"), ("s#", "001"), ("ci", "4"), ("sh", "712Omw==")] {
            record.append(key, value)
        }
        seeds["record-whole"] = [Kind.record.rawValue] + record.wireBytes
        seeds["record-odd"] = [Kind.record.rawValue, 0, 1, 0x61, 2, 0x41, 0x3D, 3, 0x62, 0x3D, 0xFF, 9, 0x63]
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let kind = Kind(rawValue: source.byte() % UInt8(Kind.allCases.count)) ?? .payload
        let bytes = source.remainder()
        let text = String(decoding: bytes, as: UTF8.self)
        switch kind {
        case .payload: checkPayload(text)
        case .code: checkCode(text)
        case .setupID: claim(SetupID(text)?.text ?? text == text, "a setup ID is its text")
        case .deviceID: checkDeviceID(text)
        case .uuid: checkUUID(text)
        case .record: checkRecord(bytes)
        case .instanceName: checkName(text, number: bytes.count)
        case .base64: checkBase64(bytes, text)
        case .identifier: checkIdentifier(bytes)
        }
    }

    private static func checkPayload(_ text: String) {
        guard let payload = SetupPayload(parsing: text) else { return }
        claim(SetupPayload(parsing: payload.text) == payload, "a payload is read as it is written")
        claim(payload.text.utf8.count == 20, "a payload has 20 characters")
        claim(payload.number >> 43 == 0, "a payload has version 0 and no reserved bits")
        claim((payload.setupCode == nil) == (payload.setupID == nil), "code and ID come together")
        if let code = payload.setupCode {
            claim(!payload.description.contains(code.text), "a description does not tell the code")
        }
    }

    private static func checkCode(_ text: String) {
        guard let code = SetupCode(text) else { return }
        let digits = code.text.filter { $0 != "-" }
        claim(text == code.text || text == digits, "a code has the digits of its text")
        claim(UInt32(digits) == code.number, "the number of a code has its digits")
        claim(SetupCode(code.text) == code && SetupCode(digits) == code, "both forms of a code are read alike")
        claim(!"\(code)\(String(reflecting: code))".contains(code.text), "a description does not tell the code")
    }

    private static func checkDeviceID(_ text: String) {
        guard let deviceID = DeviceID(text) else { return }
        claim(DeviceID(deviceID.text) == deviceID, "a device ID is read as it is written")
        claim(deviceID.text == text.uppercased(), "a device ID is the text in upper case")
    }

    private static func checkUUID(_ text: String) {
        guard let uuid = HAPUUID(text) else { return }
        claim(HAPUUID(uuid.description) == uuid, "a UUID is read as it is written in full")
        claim(HAPUUID(uuid.shortened) == uuid, "a UUID is read as it is written in short")
        claim(HAPUUID(text.lowercased()) == uuid, "a UUID is the same in either case")
    }

    private static func checkRecord(_ bytes: [UInt8]) {
        let record = TXTRecord(wireBytes: bytes)
        claim(record.items.count <= TXTRecord.maximumItemCount, "a record has no more items than the limit")
        for item in record.items {
            claim(record[item.key] == item.value.map { String(decoding: $0, as: UTF8.self) }, "a key finds its value")
        }
        checkAccessory(DiscoveredAccessory(name: "a", host: "a.local", addresses: [], port: 1, record: record))
        let fits = record.items.allSatisfy {
            $0.key.utf8.count + ($0.value.map { $0.count + 1 } ?? 0) <= TXTRecord.maximumItemLength
        }
        let again = TXTRecord(wireBytes: record.wireBytes)
        claim(!fits || again == record, "a record is read as it is written")
    }

    /// Checks how a controller interprets a record: every parsed value corresponds to the text of its key.
    private static func checkAccessory(_ accessory: DiscoveredAccessory) {
        func claimNumber(_ key: String, _ number: (some BinaryInteger)?) {
            guard let number else { return }
            let digits = accessory.text[key]?.drop { $0 == "0" }
            claim(digits.map { $0.isEmpty ? "0" : String($0) } == "\(number)", "\(key) is the number that was sent")
        }
        claimNumber("c#", accessory.configurationNumber)
        claimNumber("ff", accessory.featureFlags)
        claimNumber("s#", accessory.stateNumber)
        claimNumber("sf", accessory.statusFlags)
        claimNumber("ci", accessory.category?.rawValue)
        claim(
            (accessory.isPaired == nil) == (accessory.statusFlags == nil),
            "an accessory with status flags also has a pairing state"
        )
        if let id = accessory.deviceID {
            claim(accessory.text["id"]?.uppercased() == id.text, "a device ID is the text in upper case")
        }
    }

    private static func checkName(_ text: String, number: Int) {
        let name = InstanceName(text)
        claim(1...InstanceName.maximumLength ~= name.text.utf8.count, "a name is a DNS label")
        claim(InstanceName(name.text) == name, "a name is a name already")
        claim(!name.text.utf8.contains { $0 < 0x20 }, "a name has no control characters")
        let other = name.alternative(number)
        claim(1...InstanceName.maximumLength ~= other.text.utf8.count, "another name is a DNS label")
        claim(number < 2 || other != name || name.text.hasSuffix(" \(number)"), "another name is another one")
    }

    private static func checkBase64(_ bytes: [UInt8], _ text: String) {
        claim(Base64.decode(Base64.encode(bytes)) == bytes, "bytes are decoded as they were encoded")
        guard let decoded = Base64.decode(text) else { return }
        claim(Base64.encode(decoded) == text, "a text that is decoded is the one that is encoded")
    }

    private static func checkIdentifier(_ bytes: [UInt8]) {
        guard let identifier = ControllerIdentifier(bytes) else {
            claim(bytes.isEmpty || bytes.count > 36, "an identifier has 1 to 36 bytes")
            return
        }
        claim(identifier.bytes == bytes, "an identifier is kept as it was sent")
        claim(identifier.description.utf8.count == bytes.count, "an identifier is printed byte for byte")
    }
}
