import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import HAPServer
import Hosting
import Resources
import WebConsole

/// The command `hap trace`, which prints a trace, or repeats a recorded session.
struct Trace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Print a trace of 'hap serve --trace', or repeat one of its sessions.",
        discussion: """
            A trace has the decrypted requests, responses and events of each session. Messages of pairing and \
            authorization data are not in it, and neither is anything else that may be secret. The messages between \
            drivers and their peers are in it without credentials.

            With --replay, the requests of a recorded session are sent to a paired accessory, and the results are \
            compared with the recorded ones. A characteristic is found by its type and the type of its service. \
            Exits with 1 if something differs.

            EXAMPLE
              hap serve --trace garage.trace
              hap trace garage.trace
              hap trace garage.trace --session 3 --kind request --kind response
              hap trace garage.trace --replay other-garage --session 3
            """
    )

    @Argument(help: .value("file", "The trace."), completion: .file())
    var file: String

    @Option(help: .value("n", "Only the messages of this session."))
    var session: UInt64?

    @Option(help: .value("key", "Only the messages of the server with this key."))
    var server: String?

    @Option(help: .value("id", "Only the messages of controllers whose identifier begins like this."))
    var controller: String?

    @Option(
        name: .customLong("kind"),
        help: .value("kind", "Only this kind: request, response, event, received, sent. Can be repeated.")
    )
    var kinds: [TraceRecord.Kind] = []

    @Option(
        help: .value("alias", "Repeat the session on this paired accessory."),
        completion: ControllerCompletion.aliases
    )
    var replay: String?

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        let records = try Self.read(file)
            .filter { record in
                (session == nil || record.connection == session || record.kind == .accessories)
                    && (server == nil || record.server == server)
                    && (controller.map { record.controller?.hasPrefix($0) ?? (record.kind == .accessories) } ?? true)
            }
        guard let replay else { return try print(records.filter { kinds.isEmpty || kinds.contains($0.kind) }) }
        let chosen = try Self.session(in: records)
        try await options.withController { controller in
            try await repeatSession(chosen, records, on: controller.accessory(replay))
        }
    }

    /// Prints the messages, one in each line.
    private func print(_ records: [TraceRecord]) throws {
        for record in records where options.json || ![.trace, .accessories].contains(record.kind) {
            let line = options.json ? record.line : record.text + "\n"
            guard try Output.write(line) else { return }
        }
    }

    private func repeatSession(_ session: TraceSession, _ records: [TraceRecord], on accessory: PairedAccessory)
        async throws
    {
        let database = try await accessory.accessories()
        let plan = TraceReplay(records, of: session, on: database)
        let characteristics = Dictionary(
            CharacteristicPath.all(in: database).map { ($0.id, $0.characteristic) },
            uniquingKeysWith: { first, _ in first }
        )
        var report = ReplayReport(session: session, plan: plan)
        for (index, step) in plan.steps.enumerated() {
            if CommandContext.current.isErrorTerminal {
                StandardError.write("\rRequest \(index + 1) of \(plan.steps.count)")
            }
            report.add(step, try await Self.perform(step, on: accessory, characteristics))
        }
        if CommandContext.current.isErrorTerminal { StandardError.write("\r\u{1B}[K") }
        try options.write(report.text, report, ReplayReport.format)
        guard report.differenceCount == 0 else { throw ExitCode(CommandFailure.Code.failed.rawValue) }
    }

    /// Sends a request, and returns the results by the characteristics of the accessory.
    private static func perform(
        _ step: TraceReplay.Step,
        on accessory: PairedAccessory,
        _ characteristics: [CharacteristicID: RemoteCharacteristic]
    ) async throws -> [CharacteristicID: CharacteristicResult] {
        let results: [CharacteristicResult]
        if step.isWrite {
            let writes = step.items.compactMap { item -> CharacteristicWrite? in
                guard let json = item.value,
                    let value = characteristics[item.target]?.metadata.value(from: json, isStrict: false)
                else { return nil }
                return CharacteristicWrite(item.target, value)
            }
            results = try await accessory.write(writes)
        } else {
            results = try await accessory.read(step.items.map(\.target))
        }
        return Dictionary(results.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the session to repeat.
    ///
    /// - Throws: ``CommandFailure`` that lists the sessions if there is not exactly one.
    private static func session(in records: [TraceRecord]) throws -> TraceSession {
        let sessions = TraceSession.all(in: records)
        guard sessions.count == 1 else {
            guard !sessions.isEmpty else {
                throw CommandFailure.usage("The trace has no such session of a verified controller.")
            }
            let list = sessions.map { session in
                let line =
                    "  --session \(session.connection) --server \"\(session.server)\": \(session.requestCount) "
                    + "requests of controller \(session.controller)"
                return "\n" + line.escapingControlCharacters
            }
            throw CommandFailure.usage("The trace has \(sessions.count) sessions; choose one:\(list.joined())")
        }
        return sessions[0]
    }

    /// The maximum number of bytes of a trace.
    private static let maximumSize = 1 << 30

    static func read(_ path: String) throws -> [TraceRecord] {
        let bytes = try RegularFile(path, upTo: maximumSize).bytes
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, TraceRecord(line: String(decoding: first, as: UTF8.self))?.kind == .trace else {
            throw CommandFailure.fileContent("\(path): this is not a trace; write one with 'hap serve --trace FILE'.")
        }
        var records: [TraceRecord] = []
        for (index, line) in lines.enumerated() {
            guard let record = TraceRecord(line: String(decoding: line, as: UTF8.self)) else {
                // The last line of a killed process may be incomplete.
                if index == lines.count - 1 { break }
                throw CommandFailure.fileContent("\(path):\(index + 1): this line is not a record of a trace.")
            }
            records.append(record)
        }
        return records
    }
}

extension TraceRecord.Kind: ExpressibleByArgument {}

extension TraceRecord {
    /// The maximum number of characters of a body in a line.
    private static let shownBody = 400

    /// The record in one line.
    fileprivate var text: String {
        let time = timeText.map { LineTime($0)?.precise ?? $0 } ?? ""
        let arrow =
            switch kind {
            case .request: "→"
            case .response: "←"
            case .event: "⇠"
            case .received: "⇉"
            case .sent: "⇇"
            case .trace, .accessories, .closed, .dropped: "·"
            }
        var text = "\(time)  \(peerText)  \(arrow) \(title)"
        if let body {
            let shown = String(decoding: body.encoded, as: UTF8.self)
            text += " " + (shown.count > Self.shownBody ? shown.prefix(Self.shownBody) + "…" : shown)
        }
        if let hiddenBytes { text += kind == .dropped ? ": \(hiddenBytes)" : " (\(hiddenBytes) bytes)" }
        return text.printable
    }
}

extension TraceRecord {
    /// The server with its connection and controller, or with the accessory of a driver and its peer.
    private var peerText: String {
        let server = server ?? ""
        if let accessory { return (accessory == server ? server : "\(server) \(accessory)") + " peer \(peer ?? 0)" }
        let name = controller.map { ControllerIdentifier($0)?.shortText ?? $0 } ?? "unverified"
        return "\(server) #\(connection ?? 0) \(name)"
    }
}

/// The comparison of a repeated session with the recorded one.
struct ReplayReport {
    let session: TraceSession
    let plan: TraceReplay
    private var differences: [Difference] = []

    /// A result that is not the recorded one.
    private struct Difference: Sendable {
        var request: String
        var message: String
    }

    init(session: TraceSession, plan: TraceReplay) {
        self.session = session
        self.plan = plan
    }

    var differenceCount: Int { differences.count }

    /// Compares the results of a request.
    mutating func add(_ step: TraceReplay.Step, _ results: [CharacteristicID: CharacteristicResult]) {
        for item in step.items where !step.isWrite || item.value != nil {
            guard let expected = step.expected[item.recorded] else { continue }
            let name = "\(item.recorded) (here \(item.target))"
            guard let result = results[item.target] else {
                differences.append(Difference(request: step.title, message: "\(name): the value is not valid here"))
                continue
            }
            if result.code != expected.code {
                differences.append(
                    Difference(
                        request: step.title,
                        message: "\(name): status \(expected.code) was recorded, now it is \(result.code)"
                    )
                )
            } else if !step.isWrite, let value = expected.value, !value.isEqual(to: result.value) {
                let recorded = String(decoding: value.encoded, as: UTF8.self)
                let now = result.value.map { "\($0)" } ?? "none"
                let message = "\(name): the value \(recorded) was recorded, now it is \(now)"
                differences.append(Difference(request: step.title, message: message))
            }
        }
    }

    var text: String {
        var lines = differences.map { "≠ \($0.request): \($0.message)" }
        lines += plan.unmatched.map { "? \($0) does not exist here." }
        lines.append(
            "\(plan.steps.count) requests repeated, \(differences.count) differences, \(plan.unmatched.count) "
                + "characteristics without a match, \(plan.skippedCount) requests not repeated."
        )
        return lines.map { $0.printable + "\n" }.joined()
    }

    static let format = Format<ReplayReport>(
        response: "ReplayReport",
        .written("requests", \.plan.steps.count, .count, "The number of repeated requests."),
        .written("differences", \.differences, .list(of: difference), "The results that were not the recorded ones."),
        .written("unmatched", \.plan.unmatched, .list(of: .string), "The characteristics that do not exist here."),
        .written("skipped", \.plan.skippedCount, .count, "The number of requests that were not repeated.")
    )

    private static let difference = Format<Difference>(
        response: "ReplayDifference",
        .written("request", \.request, .string, "The request."),
        .written("message", \.message, .string, "What is different.")
    )
}

extension JSONValue {
    /// Returns whether the value is the same as that of a characteristic: 1 is true, and bytes are Base64.
    fileprivate func isEqual(to value: CharacteristicValue?) -> Bool {
        switch (self, value) {
        case (.null, nil): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .bool(let right)): left == (right ? 1 : 0)
        case (.bool(let left), .number(let right)): right == (left ? 1 : 0)
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.string(let left), .data(let right)): left == Base64.encode(right)
        default: false
        }
    }
}
