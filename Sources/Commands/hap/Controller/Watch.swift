import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Resources
import WebConsole

/// The command `hap watch`, which prints the changes of an accessory.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the changes of an accessory, one on each line, until Ctrl-C.",
        discussion: """
            Without names, all characteristics that report changes are watched. A lost connection is opened again, and \
            changes that were missed are printed then. With --json, each line is an object: a change has aid, iid and \
            value, all other lines have an "event".

            EXAMPLE
              hap watch kilgo-garage
              hap watch kilgo-garage CurrentDoorState --count 1 --json
            """
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Argument(
        help: .value("aid.iid|name", "The characteristics to watch. Default: all."),
        completion: ControllerCompletion.characteristics(.events)
    )
    var characteristics: [String] = []

    @Option(help: .value("number", "Exit after this number of changes."))
    var count: Int?

    @OptionGroup var options: ControllerOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("Write --count as a number from 1.") }
    }

    func run() async throws {
        let signals = await CommandContext.current.stopSignals()
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in signals {
                        ForcedExit.schedule()
                        break
                    }
                }
                group.addTask {
                    try await watch(accessory)
                }
                // The first of these ends the command: a signal, the last change, or a failure.
                defer { group.cancelAll() }
                try await group.next()
                // Closing also cancels a connection attempt in progress.
                await accessory.close()
            }
        }
    }

    private func watch(_ accessory: PairedAccessory) async throws {
        let database = try await accessory.accessories()
        let found = try observedCharacteristics(in: database)
        guard !found.isEmpty else {
            throw CommandFailure.failed("\(accessory.alias) reports no changes; 'hap get' reads its values.")
        }
        let known = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // The current values arrive first. They are not changes. A button has no current value, although some devices
        // answer a read with its last press.
        let readable =
            found.filter {
                $0.characteristic.permissions.contains(.read) && !$0.characteristic.type.isButton
            }
            .map(\.id)
        var present = Dictionary(
            try await accessory.read(readable).map { ($0.id, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        var left = count ?? .max
        for try await change in await accessory.changes(of: Array(known.keys)) {
            if case .value(let id, let value) = change {
                if let first = present.removeValue(forKey: id), first == value { continue }
                left -= 1
            }
            let line = WatchLine(change: change, characteristics: known, isBridge: database.count > 1)
            let isRead = try Output.write(options.json ? line.json(at: .now) : line.text(at: .now) + "\n")
            if left == 0 || !isRead { return }
        }
    }

    private func observedCharacteristics(in database: [RemoteAccessory]) throws -> [FoundCharacteristic] {
        guard characteristics.isEmpty else {
            return try characteristics.map { text in
                let found = try CharacteristicPath.resolve(text, in: database)
                guard found.characteristic.permissions.contains(.events) else {
                    throw CommandFailure.usage(
                        "The accessory does not report changes of \(found.title(onBridge: false)); 'hap get' reads it."
                    )
                }
                return found
            }
        }
        return CharacteristicPath.all(in: database).filter { $0.characteristic.permissions.contains(.events) }
    }
}

/// A line about one event of a watched accessory.
struct WatchLine: Sendable {
    let change: AccessoryChange
    let characteristics: [CharacteristicID: FoundCharacteristic]
    let isBridge: Bool

    /// Returns the line as text, with a time at its beginning.
    func text(at time: LineTime) -> String {
        "\(time)  \(text)"
    }

    /// Returns the line as a JSON object with a line break at its end.
    func json(at time: EventTime) -> String {
        func event(_ word: String, _ result: CharacteristicResult? = nil, message: String? = nil) -> String {
            let event = WatchEvent(time: time.text, event: word, message: message, result: result)
            return WatchEvent.format.json(event) + "\n"
        }
        switch change {
        case .value(let id, let value):
            var change = PrintedCharacteristic(id, characteristics[id], value)
            change.time = time.text
            return PrintedCharacteristic.change.json(change) + "\n"
        case .connected: return event("connected")
        case .disconnected(let error): return event("disconnected", message: error.reason)
        case .refused(let result): return event("refused", result)
        case .unreadable(let result): return event("unreadable", result)
        case .databaseChanged: return event("databaseChanged")
        }
    }

    private var text: String {
        switch change {
        case .value(let id, let value):
            guard let found = characteristics[id] else { return "\(id): \(value?.description ?? "–")" }
            return "\(found.title(onBridge: isBridge)): \(found.characteristic.text(of: value))"
        case .connected: return "Connected."
        case .disconnected(let error):
            return "Connection lost; reconnecting. \(error.reason.escapingControlCharacters)"
        case .refused(let result):
            return "\(title(of: result.id)) is not watched: \(result.statusText)."
        case .unreadable(let result):
            return "\(title(of: result.id)) could not be read: \(result.statusText)."
        case .databaseChanged:
            return "The services of the accessory have changed; run 'hap watch' again to see the changes."
        }
    }

    private func title(of id: CharacteristicID) -> String {
        characteristics[id]?.title(onBridge: isBridge) ?? id.description
    }
}

/// An event of a watched accessory other than a change of a value.
struct WatchEvent: Sendable {
    var time: String
    var event: String
    var message: String?
    var result: CharacteristicResult?

    static let format = Format<WatchEvent>(
        response: "WatchEvent",
        .written("time", \.time, .string, "The time."),
        .written(
            "event",
            \.event,
            .word(["connected", "disconnected", "refused", "unreadable", "databaseChanged"]),
            "The event; refused and unreadable concern one characteristic."
        ),
        .written("message", \.message, .string, "Why the connection was lost."),
        .written("aid", \.result?.id.aid.rawValue, .id, "The accessory's id."),
        .written("iid", \.result?.id.iid.rawValue, .id, "The characteristic's id."),
        .written("status", \.result?.code, .integer, "The HAP status with which the accessory refused.")
    )
}
