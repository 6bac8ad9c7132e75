internal import AccessoryModel
internal import HAPCore

/// The database of an accessory as it was read, and when it still counts.
struct DatabaseCache {
    private struct Content {
        var accessories: [RemoteAccessory]
        /// The session in which it was read; `nil` if it comes from the store.
        var session: UInt64?
        /// The configuration number that was announced then.
        var configurationNumber: UInt64?
    }

    /// The difference between a database that was read and the known one.
    enum UpdateResult: Sendable, Hashable {
        /// A later session has read it meanwhile.
        case outdated
        /// Nothing but values has changed since, or nothing was known.
        case unchanged
        case changed
    }

    private var content: Content?

    /// Whether nothing is known.
    var isEmpty: Bool { content == nil }

    /// Returns the accessories if they need not be read now.
    ///
    /// They are valid while the configuration number with which they were read is announced. If one of the two numbers
    /// is missing, they are valid for the session in which they were read.
    func accessories(inSession session: UInt64, announced: UInt64?) -> [RemoteAccessory]? {
        guard let content else { return nil }
        guard let announced, let number = content.configurationNumber else {
            return content.session == session ? content.accessories : nil
        }
        return number == announced ? content.accessories : nil
    }

    /// Returns whether it was read in a session.
    func wasRead(inSession session: UInt64) -> Bool {
        content?.session == session
    }

    /// Returns whether another configuration number is announced than the one with which it was read.
    func isOutdated(by announced: UInt64?) -> Bool {
        guard let announced, let number = content?.configurationNumber else { return false }
        return announced != number
    }

    /// Returns the characteristics with these ids; unknown ids are omitted.
    func characteristics(_ ids: some Sequence<CharacteristicID>) -> [CharacteristicID: RemoteCharacteristic] {
        content?.accessories.characteristics(ids) ?? [:]
    }

    /// A readable characteristic; `nil` if none is known.
    var firstReadable: CharacteristicID? {
        content?.accessories.lazy
            .flatMap { accessory in
                accessory.services.lazy.flatMap(\.characteristics)
                    .filter { $0.permissions.contains(.read) }
                    .map { CharacteristicID(aid: accessory.aid, iid: $0.iid) }
            }
            .first
    }

    /// Stores the accessories from the store, unless some are known.
    mutating func load(_ accessories: [RemoteAccessory], configurationNumber: UInt64?) {
        guard content == nil else { return }
        content = Content(accessories: accessories, session: nil, configurationNumber: configurationNumber)
    }

    /// Stores the accessories that were read in a session.
    mutating func update(
        _ accessories: [RemoteAccessory],
        inSession session: UInt64,
        configurationNumber: UInt64?
    ) -> UpdateResult {
        if let latest = content?.session, latest > session { return .outdated }
        let hasChanged = content.map { $0.accessories.structure != accessories.structure } ?? false
        content = Content(accessories: accessories, session: session, configurationNumber: configurationNumber)
        return hasChanged ? .changed : .unchanged
    }
}

extension [RemoteAccessory] {
    /// Returns the characteristics with these ids; unknown ids are omitted.
    func characteristics(_ ids: some Sequence<CharacteristicID>) -> [CharacteristicID: RemoteCharacteristic] {
        let wanted = Set(ids)
        var found: [CharacteristicID: RemoteCharacteristic] = [:]
        for accessory in self {
            for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                if wanted.contains(id) {
                    found[id] = characteristic
                }
            }
        }
        return found
    }

    /// The accessories without their values.
    fileprivate var structure: [RemoteAccessory] {
        map { accessory in
            var accessory = accessory
            for service in accessory.services.indices {
                for characteristic in accessory.services[service].characteristics.indices {
                    accessory.services[service].characteristics[characteristic].value = nil
                }
            }
            return accessory
        }
    }
}
