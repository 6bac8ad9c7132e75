package import AccessoryModel
package import HAPCore
internal import HAPServer

/// A line of JSON from a program: an answer, or a report.
package struct ProgramMessage: Sendable, Hashable {
    /// The number of the request that it answers.
    package private(set) var write: UInt64?
    /// The number of the action that it answers.
    package private(set) var action: UInt64?
    /// Values by the names of characteristics.
    package private(set) var values: [String: JSONValue] = [:]
    /// The statuses of single values of a request, by the names of characteristics.
    package private(set) var statuses: [String: HAPStatus] = [:]
    /// The status of all other values of a request.
    package private(set) var status = HAPStatus.success
    package private(set) var isReachable: Bool?
    package private(set) var event: String?
    /// The details of the event.
    package private(set) var details: [String: String] = [:]
    package private(set) var readings: [DeviceReading]?
    /// What an action did, or why it was refused.
    package private(set) var text: String?
    package private(set) var error: String?

    /// Parses a line; returns `nil` if it is not a message.
    ///
    /// Unknown keys are ignored, so that programs can be written for later versions.
    package init?(_ line: String) {
        guard let object = try? JSONValue(parsing: Array(line.utf8)).object else { return nil }
        write = object["write"]?.unsigned
        action = object["action"]?.unsigned
        for member in object["values"]?.object?.members ?? [] { values[member.key] = member.value }
        for member in object["statuses"]?.object?.members ?? [] {
            statuses[member.key] = Self.status(member.value)
        }
        if let written = object["status"] { status = Self.status(written) }
        isReachable = object["reachable"]?.bool
        event = object["event"]?.string.map { $0.prefix(utf8: 256) }
        for member in object["with"]?.object?.members.prefix(32) ?? [] {
            details[member.key.prefix(utf8: 64)] = Self.text(member.value).prefix(utf8: 256)
        }
        if let members = object["readings"]?.object?.members {
            readings = members.prefix(HostedDriver.maximumReadings)
                .map { member in
                    let name = member.key.prefix(utf8: 64)
                    if let number = member.value.number { return DeviceReading(name, number.double, unit: "") }
                    return DeviceReading(name, text: Self.text(member.value).prefix(utf8: 256))
                }
        }
        text = object["text"]?.string
        error = object["error"]?.string
        let isReport = !values.isEmpty || isReachable != nil || event != nil || readings != nil
        guard write != nil || action != nil || isReport else { return nil }
    }

    private static func status(_ value: JSONValue) -> HAPStatus {
        value.number?.integer(as: Int32.self).flatMap(HAPStatus.init(rawValue:)) ?? .unableToPerform
    }

    private static func text(_ value: JSONValue) -> String {
        value.string ?? String(decoding: value.encoded, as: UTF8.self)
    }
}

/// The names of characteristics in the messages of a program: `Switch.On`, or `Switch Front.On` for the one with the
/// id `Front`.
///
/// A program may also write `Front.On`, or `On` if no other service has one.
package struct ProgramNames: Sendable {
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
