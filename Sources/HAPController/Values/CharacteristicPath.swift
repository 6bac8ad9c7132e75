internal import AccessoryModel
public import HAPCore

/// Finds the characteristic that somebody means.
///
/// A characteristic is written as
/// * `aid.iid`, such as `1.9`,
/// * its name, such as `Target Door State` or `TargetDoorState`, where it is the only one,
/// * `service/characteristic`, such as `Garage Door/Name` or `Lightbulb/On`, or
/// * `accessory/service/characteristic` or `accessory/characteristic`, on a bridge.
///
/// Case, spaces, `-`, `_` and `.` in names do not count. Services go by the name that people gave them or by their type.
public enum CharacteristicPath {
    /// Finds a characteristic.
    ///
    /// - Throws: ``ControllerError`` of code `unknownCharacteristic`: with what comes near when there is none, with all
    ///   that are meant when there are several.
    public static func resolve(
        _ text: String,
        in accessories: [RemoteAccessory]
    ) throws(ControllerError) -> FoundCharacteristic {
        if let id = CharacteristicID(parsing: text) {
            if let found = all(in: accessories).first(where: { $0.id == id }) { return found }
            throw ControllerError(
                .unknownCharacteristic,
                reason: "There is no characteristic \(id).",
                remedy: "Look up which ones the accessory has."
            )
        }
        let found = matches(of: key(text), in: accessories)
        if found.count == 1, let found = found.first { return found }
        throw found.isEmpty ? unknown(text, in: accessories) : ambiguous(text, found, in: accessories)
    }

    /// Every characteristic, in the server's order.
    public static func all(in accessories: [RemoteAccessory]) -> [FoundCharacteristic] {
        accessories.flatMap { accessory in
            accessory.services.flatMap { service in
                service.characteristics.map { characteristic in
                    FoundCharacteristic(accessory: accessory, service: service, characteristic: characteristic)
                }
            }
        }
    }

    /// For each characteristic of ``all(in:)`` the shortest text that means it and no other: its name, with its service, or
    /// with its accessory; `aid.iid` where no name does.
    public static func texts(in accessories: [RemoteAccessory]) -> [String] {
        let all = all(in: accessories)
        let forms = all.map(\.forms)
        var counts: [String: Int] = [:]
        for forms in forms {
            for key in Set(forms.flatMap(\.keys)) {
                counts[key, default: 0] += 1
            }
        }
        return zip(all, forms)
            .map { found, forms in
                forms.first { counts[key($0.text)] == 1 }?.text ?? found.id.description
            }
    }

    /// The characteristics that are meant: by names where there are any, else by descriptions, aliases and UUIDs.
    private static func matches(of text: String, in accessories: [RemoteAccessory]) -> [FoundCharacteristic] {
        for names in [RemoteCharacteristic.names(of:), RemoteCharacteristic.otherNames(of:)] {
            for form in Form.allCases {
                let found = matches(of: text, in: accessories, form, names)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// What stands before the characteristic's name.
    private enum Form: CaseIterable {
        case alone
        case service
        case accessoryAndService
        case accessory
    }

    private static func matches(
        of text: String,
        in accessories: [RemoteAccessory],
        _ form: Form,
        _ names: (RemoteCharacteristic) -> [String]
    ) -> [FoundCharacteristic] {
        var found: [FoundCharacteristic] = []
        for accessory in accessories {
            let accessoryNames = accessory.keys
            for service in accessory.services {
                let serviceNames = service.keys
                let prefixes =
                    switch form {
                    case .alone: [""]
                    case .service: serviceNames.map { "\($0)/" }
                    case .accessory: accessoryNames.map { "\($0)/" }
                    case .accessoryAndService:
                        accessoryNames.flatMap { accessory in serviceNames.map { "\(accessory)/\($0)/" } }
                    }
                let rests = prefixes.filter { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
                guard !rests.isEmpty else { continue }
                for characteristic in service.characteristics
                where names(characteristic).contains(where: { name in rests.contains { $0 == name } }) {
                    found.append(
                        FoundCharacteristic(accessory: accessory, service: service, characteristic: characteristic)
                    )
                }
            }
        }
        return found
    }

    private static func unknown(_ text: String, in accessories: [RemoteAccessory]) -> ControllerError {
        let all = all(in: accessories)
        let names = Set(all.flatMap { [$0.characteristic.name, $0.path] })
        let near = Spelling.near(to: text, among: names.sorted(), count: 3)
        let known = Set(all.map(\.characteristic.name)).sorted()
        let remedy =
            near.isEmpty
            ? "There are: \(known.prefix(20).joined(separator: ", "))\(known.count > 20 ? " …" : "")."
            : "Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return ControllerError(
            .unknownCharacteristic,
            reason: "There is no characteristic \"\(String(text.prefix(100)).withVisibleControls)\".",
            remedy: all.isEmpty ? "The accessory has none." : remedy.withVisibleControls
        )
    }

    private static func ambiguous(
        _ text: String,
        _ found: [FoundCharacteristic],
        in accessories: [RemoteAccessory]
    ) -> ControllerError {
        let candidates = found.prefix(10)
            .map { candidate in
                let name = accessories.count > 1 ? candidate.accessory.name : nil
                return "\((name.map { "\($0)/" } ?? "") + candidate.path) (\(candidate.id))"
            }
        let more = found.count > 10 ? " and \(found.count - 10) more" : ""
        return ControllerError(
            .unknownCharacteristic,
            reason: "\"\(String(text.prefix(100)).withVisibleControls)\" can be \(found.count) characteristics.",
            remedy: "Say which one: \(candidates.joined(separator: ", ").withVisibleControls)\(more)."
        )
    }

    fileprivate static func key(_ text: String) -> String {
        Catalogue.key(text.lowercased())
    }
}

extension FoundCharacteristic {
    /// What it is called, from the shortest text on: each as people write it, with all keys that mean the same.
    fileprivate var forms: [(text: String, keys: [String])] {
        let names = RemoteCharacteristic.names(of: characteristic)
        let services = service.keys
        let paths = services.flatMap { service in names.map { "\(service)/\($0)" } }
        let full = accessory.keys.flatMap { accessory in (paths + names).map { "\(accessory)/\($0)" } }
        return [(characteristic.name, names), (path, paths), ("\(accessory.name ?? "\(accessory.aid)")/\(path)", full)]
    }
}

extension CharacteristicID {
    /// Reads `aid.iid`, `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let aid = UInt64(parts[0]), let iid = UInt64(parts[1]),
            parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
        else { return nil }
        self.init(aid, iid)
    }
}

extension RemoteAccessory {
    /// What it is called in a path.
    fileprivate var keys: Set<String> {
        Set(([aid.description] + (name.map { [$0] } ?? [])).map(CharacteristicPath.key))
    }
}

extension RemoteService {
    /// What it is called in a path.
    fileprivate var keys: Set<String> {
        Set(([name] + type.names).map(CharacteristicPath.key))
    }
}

extension RemoteCharacteristic {
    /// What it is called first of all.
    fileprivate static func names(of characteristic: RemoteCharacteristic) -> [String] {
        characteristic.type.names(describedAs: characteristic.description).map(CharacteristicPath.key)
    }

    /// What it is called, too.
    fileprivate static func otherNames(of characteristic: RemoteCharacteristic) -> [String] {
        characteristic.type.otherNames(describedAs: characteristic.description).map(CharacteristicPath.key)
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

    /// Creates one.
    public init(accessory: RemoteAccessory, service: RemoteService, characteristic: RemoteCharacteristic) {
        self.accessory = accessory
        self.service = service
        self.characteristic = characteristic
    }

    /// What addresses it in the server.
    public var id: CharacteristicID {
        CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
    }

    /// `service/characteristic`, as people write it.
    public var path: String {
        "\(service.name)/\(characteristic.name)"
    }
}
