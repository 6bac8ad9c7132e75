internal import AccessoryModel
package import HAPCore

/// The database of an accessory as it was last read, and the rules for whether it is still valid.
struct DatabaseCache {
    private struct Content {
        var accessories: [RemoteAccessory]
        /// The session in which it was read; `nil` if it comes from the store.
        var session: UInt64?
        /// The configuration number that was announced when it was read.
        var configurationNumber: UInt64?
    }

    /// The difference between a database that was read and the known one.
    enum UpdateResult: Sendable, Hashable {
        /// A later session has read the database in the meantime, so this one is ignored.
        case outdated
        /// At most values have changed, or no database was known.
        case unchanged
        case changed
    }

    private var content: Content?

    /// Whether no database is known.
    var isEmpty: Bool { content == nil }

    /// Returns the accessories if they are still valid; `nil` if they must be read again.
    ///
    /// They are valid as long as the announced configuration number is the same as when they were read. If one of the
    /// two numbers is unknown, they are valid for the session in which they were read.
    func accessories(inSession session: UInt64, announced: UInt64?) -> [RemoteAccessory]? {
        guard let content else { return nil }
        guard let announced, let number = content.configurationNumber else {
            return content.session == session ? content.accessories : nil
        }
        return number == announced ? content.accessories : nil
    }

    /// Returns whether the database was read in this session.
    func wasRead(inSession session: UInt64) -> Bool {
        content?.session == session
    }

    /// Returns whether the announced configuration number differs from the one at the time of reading.
    func isOutdated(by announced: UInt64?) -> Bool {
        guard let announced, let number = content?.configurationNumber else { return false }
        return announced != number
    }

    /// Returns the characteristics with these ids; unknown ids are omitted.
    func characteristics(_ ids: some Sequence<CharacteristicID>) -> [CharacteristicID: RemoteCharacteristic] {
        content?.accessories.characteristics(ids) ?? [:]
    }

    /// The first readable characteristic; `nil` if none is known.
    var firstReadable: CharacteristicID? { content?.accessories.firstReadable }

    /// Sets the accessories that were loaded from the store, unless a database is already known.
    mutating func load(_ accessories: [RemoteAccessory], configurationNumber: UInt64?) {
        guard content == nil else { return }
        content = Content(accessories: accessories, session: nil, configurationNumber: configurationNumber)
    }

    /// Sets the accessories that were read in a session, and returns the difference.
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
    /// The first readable characteristic; `nil` if there is none.
    package var firstReadable: CharacteristicID? {
        self.lazy
            .flatMap { accessory in
                accessory.services.lazy.flatMap(\.characteristics)
                    .filter { $0.permissions.contains(.read) }
                    .map { CharacteristicID(aid: accessory.aid, iid: $0.iid) }
            }
            .first
    }

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
