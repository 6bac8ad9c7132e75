internal import PropertyLists

/// What a receiver says about itself, in its announcements and in the answer to `/info`.
///
/// See `docs/airplay.md`.
package struct ReceiverInformation: Sendable, Hashable {
    /// The version that senders see, and the text of the header Server.
    package static let sourceVersion = "366.0"
    package static let server = "AirTunes/\(sourceVersion)"

    package var name = "Speaker"
    package var model = "hap"
    package var manufacturer = "hap"
    package var firmware = "1.0"
    package var serialNumber = ""
    /// Six bytes as `02:00:00:AA:BB:CC`.
    package var deviceID = "02:00:00:00:00:00"
    /// A UUID in lowercase letters with hyphens.
    package var pairingID = "00000000-0000-0000-0000-000000000000"
    /// The long-term public key, 32 bytes.
    package var publicKey: [UInt8] = []
    package var hasVideo = false
    package var access = AirPlayAccess()
    /// Whether a sender has a session.
    package var isActive = false

    package init() {}

    /// The features as the bits of a number.
    package var features: UInt64 {
        // Audio, artwork, progress, text, two groups of formats, unencrypted audio, encrypted control, HomeKit.
        var bits = [9, 15, 16, 17, 18, 19, 22, 38, 46]
        if access.allowsTransient { bits.append(48) }
        if hasVideo { bits += [0, 4, 49] }
        return bits.reduce(0) { $0 | 1 << UInt64($1) }
    }

    /// The status as the bits of a number.
    package var statusFlags: UInt32 {
        var flags: UInt32 = 0x4
        if access.policy == .pin { flags |= 0x208 }
        if access.password != nil { flags |= 0x80 }
        if access.isForHome { flags |= 0x400 }
        if isActive { flags |= 0x20000 }
        return flags
    }

    /// The text record of `_airplay._tcp`.
    ///
    /// Avahi answers a scanner such as pyatv with at most 512 bytes for both services, and leaves out the records that do
    /// not fit. So the records have only what senders need before they ask for ``answer(volume:wantsRecord:)``.
    package var airPlayRecord: [(String, String)] {
        [
            ("deviceid", deviceID), ("features", featureText), ("flags", Self.hexadecimal(statusFlags)),
            ("model", model), ("srcvers", Self.sourceVersion),
        ] + (access.isForHome ? [("acl", "1")] : []) + passwordItem
    }

    /// The text record of `_raop._tcp`.
    package var audioRecord: [(String, String)] {
        [
            ("ft", featureText), ("sf", Self.hexadecimal(statusFlags)), ("am", model), ("vn", "65537"), ("cn", "0,1"),
            ("et", "0"), ("md", "0,1,2"), ("tp", "UDP"),
        ] + passwordItem
    }

    private var passwordItem: [(String, String)] { access.password == nil ? [] : [("pw", "true")] }

    /// The name of the instance of `_raop._tcp`.
    package var audioInstance: String { "\(deviceID.filter { $0 != ":" })@\(name)" }

    /// Returns the answer to `/info`.
    ///
    /// - Parameter wantsRecord: Whether the text record is added.
    package func answer(volume: VolumeLevel, wantsRecord: Bool) -> AirPlayResponse {
        var list: [(String, PropertyList)] = [
            ("deviceID", .text(deviceID)), ("macAddress", .text(deviceID)), ("features", .unsigned(features)),
            ("name", .text(name)), ("model", .text(model)), ("manufacturer", .text(manufacturer)),
            ("pi", .text(pairingID)), ("psi", .text(pairingID)), ("pk", .data(publicKey)),
            ("statusFlags", .unsigned(UInt64(statusFlags))), ("sourceVersion", .text(Self.sourceVersion)),
            ("protocolVersion", "1.1"), ("initialVolume", .real(volume.decibels)), ("vv", 2),
            ("keepAliveSendStatsAsBody", true), ("keepAliveLowPower", true),
        ]
        if wantsRecord {
            let record = airPlayRecord.flatMap { key, value -> [UInt8] in
                let entry = Array("\(key)=\(value)".utf8.prefix(255))
                return [UInt8(entry.count)] + entry
            }
            list.append(("txtAirPlay", .data(record)))
        }
        return AirPlayResponse(propertyList: .dictionary(PropertyListDictionary(list)))
    }

    /// Senders join the two numbers, so the lower one has eight digits.
    private var featureText: String {
        let low = String(features & 0xFFFF_FFFF, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: 8 - low.count)
        return "0x\(zeros)\(low),0x\(String(features >> 32, radix: 16, uppercase: true))"
    }

    private static func hexadecimal(_ number: UInt32) -> String { "0x\(String(number, radix: 16))" }

}
