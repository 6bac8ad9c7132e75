package import AccessoryModel
package import HAPCore

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
        event = object["event"]?.string.map { $0.prefix(utf8Bytes: 256) }
        for member in object["with"]?.object?.members.prefix(32) ?? [] {
            details[member.key.prefix(utf8Bytes: 64)] = Self.text(member.value).prefix(utf8Bytes: 256)
        }
        if let members = object["readings"]?.object?.members {
            readings =
                members.map { member in
                    let name = member.key.prefix(utf8Bytes: 64)
                    if let number = member.value.number { return DeviceReading(name, number.double, unit: "") }
                    return DeviceReading(name, text: Self.text(member.value).prefix(utf8Bytes: 256))
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
