package import HAPCore

/// A characteristic with its id on a server, without its value.
///
/// It is a class because it never changes and is used several times for each request.
package final class RegisteredCharacteristic: Sendable {
    package let id: CharacteristicID
    package let type: CharacteristicType
    package let permissions: CharacteristicPermissions
    package let metadata: CharacteristicMetadata
    package let adminOnly: AdminOnlyAccess
    package let description: String?
    /// The index of the characteristic's service in the database.
    package let service: Int
    /// Whether the limits are sent as declared, and the value is sent even if it cannot be read.
    let isVerbatim: Bool
    /// The members that replace the other properties in JSON, or `nil`, which is the usual case.
    let verbatimMembers: JSONObject?

    /// Whether each occurrence is an event, even if the value repeats, and a read returns no value.
    ///
    /// HAP: §14
    package let isButton: Bool

    /// The maximum number of bytes, without the value, in the response to a read that requests all members.
    ///
    /// HAP: §12
    let inclusionSize: Int

    init(
        _ characteristic: Characteristic,
        id: CharacteristicID,
        service: Int,
        isVerbatim: Bool = false
    ) {
        self.id = id
        let base = characteristic.base
        type = base.type
        permissions = base.permissions
        metadata = base.metadata
        adminOnly = characteristic.adminOnly
        description = base.description
        self.service = service
        self.isVerbatim = isVerbatim
        verbatimMembers =
            characteristic.verbatimMembers.members.isEmpty ? nil : characteristic.jsonMembers(isVerbatim: isVerbatim)
        isButton = type.isButton
        inclusionSize = Self.inclusionSize(of: base, verbatimMembers, isVerbatim: isVerbatim)
    }

    private static func inclusionSize(
        of characteristic: CharacteristicDescription,
        _ wording: JSONObject?,
        isVerbatim: Bool
    ) -> Int {
        // The bytes for the type, which has at most 36 digits, and for the subscription flag.
        let others = 64
        var writer = JSONWriter(reservingBytes: 256, escaping: .required)
        writer.beginObject()
        if let wording {
            for member in wording.members {
                writer.key(member.key)
                writer.value(member.value)
            }
        } else {
            writer.write(characteristic, isVerbatim: isVerbatim)
        }
        return others + writer.bytes.count
    }

    /// Whether the value survives a restart, because controllers can write it or it changes by itself.
    package var isPersistent: Bool {
        permissions.contains(.read) && !permissions.isDisjoint(with: [.write, .events]) && !isButton
    }

    /// The metadata as in the response to `/accessories`.
    package var announcedMetadata: CharacteristicMetadata {
        var announced = isVerbatim ? metadata : metadata.announced(for: type)
        announced.minimumLength = nil
        return announced
    }
}

/// A service with its id on a server.
package struct RegisteredService: Sendable {
    package let aid: AccessoryID
    package let iid: InstanceID
    package let key: ServiceKey
    /// The type as in the response to `/accessories`, if it differs from the one that follows from the key.
    let verbatimType: String?
    package let isPrimary: Bool
    package let isHidden: Bool
    package internal(set) var linked: [InstanceID]
    /// The indices of the service's characteristics in the database.
    package let characteristics: Range<Int>
    package var behavior: (any Behavior)?
    /// Whether the service has a behavior, even while the behavior is removed for a mutation.
    let hasBehavior: Bool
    /// Whether a driver answers for the service.
    package let isDriven: Bool
    /// Whether the device of a driven service can be reached; a service without a driver always can.
    package internal(set) var isReachable: Bool
    /// The indices of the accessory's services whose behaviors observe it.
    package internal(set) var observers: [Int] = []
}

/// The indices of characteristics in the database, by id.
///
/// The entries are sorted instead of hashed: a few comparisons take less time than a hash, and no choice of ids can
/// make a lookup slow.
struct CharacteristicIndices: Sendable {
    private var entries: [(id: CharacteristicID, index: Int)] = []

    init() {}

    /// Creates a table of unique ids with their indices.
    init(_ ids: some Sequence<CharacteristicID>) {
        entries = ids.enumerated().map { ($0.element, $0.offset) }
        entries.sort { $0.id < $1.id }
    }

    subscript(id: CharacteristicID) -> Int? {
        let position = entries.firstPosition { $0.id >= id }
        guard position < entries.count, entries[position].id == id else { return nil }
        return entries[position].index
    }
}
