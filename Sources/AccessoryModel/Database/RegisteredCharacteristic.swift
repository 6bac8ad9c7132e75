package import HAPCore

/// A characteristic with its id in a server: everything about it but the value.
///
/// Shared, since it never changes: it is looked at several times for each request.
package final class RegisteredCharacteristic: Sendable {
    package let id: CharacteristicID
    package let type: CharacteristicType
    package let permissions: CharacteristicPermissions
    package let metadata: CharacteristicMetadata
    package let adminOnly: AdminOnlyAccess
    package let description: String?
    /// Where its service stands in the database.
    package let service: Int
    /// Whether its limits are told as they are declared, and its value also when it cannot be read.
    let isVerbatim: Bool
    /// What is told of it in place of what follows from the rest; `nil` for nearly every one.
    let verbatimMembers: JSONObject?

    /// Whether each occurrence is an event, even when the value repeats, and reading gives nothing.
    ///
    /// HAP: §14
    package let isButton: Bool

    /// The most bytes that everything but the value takes in the answer to a read that asks for all of it.
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
        // For the type, which has 36 digits at most, and whether the reader is subscribed.
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

    /// Whether the value outlives a restart: what a controller can write, and what changes by itself.
    package var isPersistent: Bool {
        permissions.contains(.read) && !permissions.isDisjoint(with: [.write, .events]) && !isButton
    }

    /// The metadata as `/accessories` shows it.
    package var announcedMetadata: CharacteristicMetadata {
        var announced = isVerbatim ? metadata : metadata.announced(for: type)
        announced.minimumLength = nil
        return announced
    }
}

/// A service with its id in a server.
package struct RegisteredService: Sendable {
    package let aid: AccessoryID
    package let iid: InstanceID
    package let key: ServiceKey
    /// The type as `/accessories` shows it, where that is not what follows from the key.
    let verbatimType: String?
    package let isPrimary: Bool
    package let isHidden: Bool
    package internal(set) var linked: [InstanceID]
    /// Where its characteristics stand in the database.
    package let characteristics: Range<Int>
    package var behavior: (any Behavior)?
    /// Whether it has a behavior, also while that is taken out.
    let hasBehavior: Bool
    /// Where the services of its accessory stand whose behaviors want to hear of its changes.
    package internal(set) var observers: [Int] = []
}

/// Where each characteristic stands in the database, found by its id.
///
/// Sorted and not hashed: a few comparisons take less time than one hash, and no choice of ids is worse than another.
struct CharacteristicIndices: Sendable {
    private var entries: [(id: CharacteristicID, index: Int)] = []

    init() {}

    /// Each id, of which none occurs twice, with where it stands.
    init(_ ids: some Sequence<CharacteristicID>) {
        entries = ids.enumerated().map { ($0.element, $0.offset) }
        entries.sort { $0.id.precedes($1.id) }
    }

    subscript(id: CharacteristicID) -> Int? {
        let position = firstPosition(notBefore: id)
        guard position < entries.count, entries[position].id == id else { return nil }
        return entries[position].index
    }

    private func firstPosition(notBefore id: CharacteristicID) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id.precedes(id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension CharacteristicID {
    /// The order of `<`, without the calls between modules that it takes.
    fileprivate func precedes(_ other: CharacteristicID) -> Bool {
        if aid.rawValue == other.aid.rawValue {
            iid.rawValue < other.iid.rawValue
        } else {
            aid.rawValue < other.aid.rawValue
        }
    }
}
