internal import AccessoryModel
public import HAPCore

/// Finds the characteristic that a text refers to.
///
/// A characteristic is written as
/// * `aid.iid`, such as `1.9`,
/// * its name, such as `Target Door State` or `TargetDoorState`, if no other characteristic has it,
/// * `service/characteristic`, such as `Garage Door/Name` or `Lightbulb.On`, or
/// * `accessory/service/characteristic` or `accessory/characteristic`, on a bridge.
///
/// Case, spaces, `-`, `_` and `.` in names are ignored. A service can be addressed by its name or by its type.
public enum CharacteristicPath {
    /// Finds a characteristic.
    ///
    /// - Throws: ``ControllerError`` of code `unknownCharacteristic`, with similar names if there is none, and with all
    ///   candidates if there are several.
    public static func resolve(
        _ text: String,
        in accessories: [RemoteAccessory]
    ) throws(ControllerError) -> FoundCharacteristic {
        let all = all(in: accessories)
        if let id = CharacteristicID(parsing: text) {
            if let found = all.first(where: { $0.id == id }) { return found }
            throw ControllerError(
                .unknownCharacteristic,
                reason: "There is no characteristic \(id).",
                remedy: "Look which characteristics the accessory has."
            )
        }
        let index = NameIndex(accessories)
        let shown = String(text.prefix(100)).escapingControlCharacters
        let numbers: [Int]
        switch index.match(text, as: [.characteristic]) {
        case .unique(let number): numbers = [number]
        case .ambiguous(let several): numbers = several
        case .wrongLevel, .notFound: numbers = []
        }
        let positions = Dictionary(zip(index.numbers(of: [.characteristic]), all)) { first, _ in first }
        let found = numbers.compactMap { positions[$0] }
        guard let first = found.first else {
            if let owner = index.unknownOwner(of: text) {
                throw ControllerError(
                    .unknownCharacteristic,
                    reason: "There is no service \"\(String(owner.prefix(100)).escapingControlCharacters)\".",
                    remedy: NameSuggestions(of: index)
                        .remedy(for: owner, as: [.service], emptyMessage: "The accessory has none.")
                )
            }
            throw ControllerError(
                .unknownCharacteristic,
                reason: "There is no characteristic \"\(shown)\".",
                remedy: NameSuggestions(of: index)
                    .remedy(
                        for: text,
                        as: [.characteristic],
                        listed: .init("names") { Set(all.map(\.characteristic.name)).sorted() },
                        maximumListed: 20,
                        emptyMessage: "The accessory has none."
                    )
            )
        }
        guard found.count > 1 else { return first }
        let candidates = zip(found, numbers).prefix(NameSuggestions.maximumListed)
            .map { "\(index.text(of: $1)) (\($0.id))" }
        let more = found.count > candidates.count ? " and \(found.count - candidates.count) more" : ""
        throw ControllerError(
            .unknownCharacteristic,
            reason: "\"\(shown)\" matches \(found.count) characteristics.",
            remedy: "Write one of these: \(candidates.joined(separator: ", ").escapingControlCharacters)\(more)."
        )
    }

    /// Returns all characteristics, in the server's order.
    public static func all(in accessories: [RemoteAccessory]) -> [FoundCharacteristic] {
        accessories.flatMap { accessory in
            accessory.services.flatMap { service in
                service.characteristics.map { characteristic in
                    FoundCharacteristic(accessory: accessory, service: service, characteristic: characteristic)
                }
            }
        }
    }

    /// Returns for each characteristic of ``all(in:)`` the shortest text that refers to it alone: its name, the name
    /// with its service, or the name with its accessory.
    ///
    /// If no name is unique, the text is `aid.iid`.
    public static func texts(in accessories: [RemoteAccessory]) -> [String] {
        zip(all(in: accessories), NameIndex(accessories).shortestTexts(of: .characteristic))
            .map { $1 ?? $0.id.description }
    }
}

extension NameIndex {
    fileprivate init(_ accessories: [RemoteAccessory]) {
        self.init()
        let names = accessories.map { $0.name ?? $0.aid.description }
        let taken = Set(Self.keys(names + accessories.map(\.aid.description)))
        for (accessory, (name, number)) in zip(accessories, zip(names, Self.numbered(names, taken: taken))) {
            add(.accessory, number, keys: Self.keys([number, name, accessory.aid.description]))
            let serviceNames = accessory.services.map(\.name)
            let numbered = Self.numbered(serviceNames, taken: Set(Self.keys(serviceNames)))
            for (service, name) in zip(accessory.services, numbered) {
                add(.service, name, keys: Self.keys([name, service.name] + service.type.names))
                for characteristic in service.characteristics {
                    add(
                        .characteristic,
                        characteristic.name,
                        keys: Self.keys(characteristic.base.names),
                        otherKeys: Self.keys(characteristic.base.otherNames)
                    )
                }
            }
        }
    }
}

/// A characteristic with the accessory and the service that it belongs to.
public struct FoundCharacteristic: Sendable, Hashable {
    /// The accessory.
    public var accessory: RemoteAccessory
    /// The service.
    public var service: RemoteService
    /// The characteristic.
    public var characteristic: RemoteCharacteristic

    /// The id of the characteristic on the server.
    public var id: CharacteristicID {
        CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
    }

    /// `service/characteristic`, as people write it.
    public var path: String {
        "\(service.name)/\(characteristic.name)"
    }
}
