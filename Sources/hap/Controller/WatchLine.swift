import AccessoryModel
import Foundation
import HAPController
import HAPCore

/// One thing that happened to an accessory that is watched.
struct WatchLine: Sendable {
    private let change: AccessoryChange
    private let known: [CharacteristicID: FoundCharacteristic]
    private let isBridge: Bool

    init(_ change: AccessoryChange, known: [CharacteristicID: FoundCharacteristic], isBridge: Bool) {
        self.change = change
        self.known = known
        self.isBridge = isBridge
    }

    /// The line for people, with the time of day.
    func text(at date: Date) -> String {
        "\(date.formatted(Self.timeOfDay))  \(text)"
    }

    /// The object for scripts, on one line.
    func json(at date: Date) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        switch change {
        case .value(let id, let value):
            if let found = known[id] {
                writer.members(of: found, value: value)
            } else {
                writer.key("aid")
                writer.value(id.aid.rawValue)
                writer.key("iid")
                writer.value(id.iid.rawValue)
                writer.key("value")
                writer.value(value)
            }
        case .connected: writer.member("event", "connected")
        case .disconnected(let error):
            writer.member("event", "disconnected")
            writer.member("reason", error.reason)
        case .refused(let result):
            writer.member("event", "refused")
            writer.key("aid")
            writer.value(result.id.aid.rawValue)
            writer.key("iid")
            writer.value(result.id.iid.rawValue)
            writer.key("status")
            writer.value(result.code)
        case .databaseChanged: writer.member("event", "databaseChanged")
        }
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private static var timeOfDay: Date.VerbatimFormatStyle {
        Date.VerbatimFormatStyle(
            format:
                "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: .current,
            calendar: Calendar(identifier: .gregorian)
        )
    }

    private var text: String {
        switch change {
        case .value(let id, let value):
            guard let found = known[id] else { return "\(id): \(value?.description ?? "–")" }
            return "\(found.title(onBridge: isBridge)): \(found.characteristic.text(of: value))"
        case .connected: return "Connected."
        case .disconnected(let error):
            return "The connection is lost, and is made again. \(error.reason.withVisibleControls)"
        case .refused(let result):
            let name = known[result.id]?.title(onBridge: isBridge) ?? result.id.description
            return "\(name) is not watched: \(result.statusText)."
        case .databaseChanged:
            return "The accessory has other services or characteristics now; watch it anew to see them."
        }
    }
}
