internal import AccessoryModel
internal import HAPCore
internal import HAPServer

/// The names of characteristics in the messages of a program: `Switch.On`, or `Switch Front.On` for the one with the
/// id `Front`.
///
/// A program may also write `Front.On`, or `On` if no other service has one.
struct ProgramNames: Sendable {
    private var names: [CharacteristicKey: String] = [:]
    private var keys: [String: [CharacteristicKey]] = [:]
    private let accessory: DrivenAccessory

    init(_ accessory: DrivenAccessory) {
        self.accessory = accessory
        for key in accessory.drivenKeys {
            let type = Catalog.characteristic(key.type)?.id ?? "\(key.type)"
            let kind = Catalog.service(key.service.type)?.id ?? "\(key.service.type)"
            let subtype = key.service.subtype
            let name = subtype.isEmpty ? "\(kind).\(type)" : "\(kind) \(subtype).\(type)"
            names[key] = name
            for name in [name, "\(subtype).\(type)", type] { keys[name, default: []].append(key) }
        }
    }

    /// Returns the name of a characteristic.
    func name(of key: CharacteristicKey) -> String { names[key] ?? "\(key.type)" }

    /// Returns the characteristic with a name, or `nil` if there is none, or several.
    func key(named name: String) -> CharacteristicKey? {
        guard let found = keys[name], found.count == 1 else { return nil }
        return found[0]
    }

    /// Returns the reports for values by name, and the names of those that cannot be reported.
    func reports(of values: [String: JSONValue]) -> (reports: [DriverReport], refused: [String]) {
        var reports: [DriverReport] = []
        var refused: [String] = []
        for (name, json) in values.sorted(by: { $0.key < $1.key }) {
            if let key = key(named: name), let value = value(json, of: key) {
                reports.append(DriverReport(key, value))
            } else {
                refused.append(name)
            }
        }
        return (reports, refused)
    }

    /// Returns a value of JSON, also as words such as `Open`; `nil` if the characteristic cannot have it.
    func value(_ json: JSONValue, of key: CharacteristicKey) -> CharacteristicValue? {
        guard let base = accessory.characteristic(key)?.base else { return nil }
        return base.metadata.value(from: json, isStrict: false) ?? json.string.flatMap { base.allowedValue(of: $0) }
    }
}
