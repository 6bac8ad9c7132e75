internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import Simulation

/// The driver that runs a program, which speaks lines of JSON.
///
/// See `docs/drivers.md`.
actor CommandDriver: Driver {
    /// The number of lines that are read in a second; a program that writes more of them waits.
    private static let linesPerSecond = 1_000

    private let parameters: CommandParameters
    private let port: DriverPort
    private var program: RunningProgram?
    private var writes: [UInt64: OneShot<ProgramMessage?>] = [:]
    private var actions: [UInt64: OneShot<ProgramMessage?>] = [:]
    private var lastAction: UInt64 = 0
    private var latestReadings: [DeviceReading] = []

    init(_ parameters: CommandParameters, _ port: DriverPort) {
        (self.parameters, self.port) = (parameters, port)
    }

    func run() async throws {
        defer {
            program = nil
            for answer in writes.values { answer.set(nil) }
            for answer in actions.values { answer.set(nil) }
        }
        try await RunningProgram.run(
            parameters.program,
            folder: port.accessory.folder,
            environment: parameters.environment,
            errorLine: port.emitErrorLine
        ) { program in
            self.program = program
            // A program that has ended already says why below.
            try? await self.greet(program)
            var (start, count) = (MonotonicInstant.now, 0)
            while let line = try await program.nextLine() {
                await self.receive(line)
                count += 1
                guard count == Self.linesPerSecond else { continue }
                try await Task.sleep(for: max(.zero, .seconds(1) - start.duration(to: .now)))
                (start, count) = (.now, 0)
            }
            throw ProgramError.ended(try await program.exit())
        }
    }

    /// Tells the program the accessory and its last values.
    private func greet(_ program: RunningProgram) async throws {
        let accessory = port.accessory
        let names = ProgramNames(accessory)
        let values = await port.values.map { JSONObject.Member(key: names.name(of: $0), value: $1.json) }
        try await program.send([
            .init(key: "accessory", value: .string(accessory.name)), .init(key: "values", value: .sorted(values)),
        ])
    }

    private func receive(_ line: ProgramLine) async {
        guard case .text(let text) = line, let message = ProgramMessage(text) else {
            port.emit(DriverEvent("unreadable", ["line": line.beginning.prefix(utf8Bytes: 200)], isWarning: true))
            return
        }
        if let number = message.write {
            writes[number]?.set(message)
        } else if let number = message.action {
            actions[number]?.set(message)
        } else if !message.values.isEmpty, await !port.take(fault: "lostReports") {
            await port.report(message.values)
            if message.isReachable != false { await port.setReachable(true) }
        }
        if let readings = message.readings { latestReadings = readings }
        if let isReachable = message.isReachable { await port.setReachable(isReachable) }
        if let event = message.event { port.emit(DriverEvent(event, message.details)) }
    }

    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
        guard let program else { return [] }
        guard await !port.losesWrite() else { return [] }
        let names = ProgramNames(port.accessory)
        let answer = OneShot<ProgramMessage?>()
        writes[request.number] = answer
        defer { writes[request.number] = nil }
        let values = request.writes.map { JSONObject.Member(key: names.name(of: $0.key), value: $0.value.json) }
        let line: [JSONObject.Member] = [
            .init(key: "write", value: .number(JSONNumber(request.number))),
            .init(key: "values", value: .sorted(values)),
        ]
        guard (try? await program.send(line)) != nil, let message = await answer.waitUnlessCancelled() ?? nil else {
            return []
        }
        return request.writes.map { write in
            let name = names.name(of: write.key)
            let status = message.statuses[name] ?? message.status
            guard let taken = message.values.first(where: { names.key(named: $0.key) == write.key }) else {
                return DriverWriteResult(write.key, status)
            }
            guard let value = names.value(taken.value, of: write.key) else {
                port.emit(DriverEvent("refused", ["value": name], isWarning: true))
                return DriverWriteResult(write.key, .unableToPerform)
            }
            return DriverWriteResult(write.key, status, value: value)
        }
    }

    func perform(_ action: DriverAction) async throws(SimulationError) -> String {
        guard let program else { throw .unsupportedAction(action.name) }
        lastAction += 1
        let number = lastAction
        let answer = OneShot<ProgramMessage?>()
        actions[number] = answer
        defer { actions[number] = nil }
        let arguments = action.arguments.map { JSONObject.Member(key: $0, value: .string($1)) }
        let line: [JSONObject.Member] = [
            .init(key: "action", value: .number(JSONNumber(number))), .init(key: "name", value: .string(action.name)),
            .init(key: "with", value: .sorted(arguments)),
        ]
        guard (try? await program.send(line)) != nil, let message = await answer.waitUnlessCancelled() ?? nil else {
            throw SimulationError(.refused, "The program did not answer.", "Read what it has written to the log.")
        }
        if let error = message.error {
            throw SimulationError(
                .refused,
                "The program refuses: \(error.prefix(utf8Bytes: 256).escapingControlCharacters)",
                "Ask for something else."
            )
        }
        return message.text?.prefix(utf8Bytes: 256).escapingControlCharacters ?? ""
    }

    func readings() async -> [DeviceReading] { latestReadings }
}

extension ProgramLine {
    /// The line, or its beginning.
    var beginning: String {
        switch self {
        case .text(let text), .tooLong(let text): text
        }
    }
}

extension JSONValue {
    /// Returns an object with its members in the order of their keys.
    static func sorted(_ members: [JSONObject.Member]) -> JSONValue {
        .object(JSONObject(uniqueMembers: members.sorted { $0.key < $1.key }))
    }
}

extension RunningProgram {
    /// Sends an object as one line.
    func send(_ members: [JSONObject.Member]) async throws {
        let object = JSONValue.object(JSONObject(uniqueMembers: members))
        try await send(String(decoding: object.encoded, as: UTF8.self))
    }
}

extension DriverPort {
    /// Reports a line on the standard error of a program.
    func emitErrorLine(_ line: String) { emit(DriverEvent("stderr", ["line": line.prefix(utf8Bytes: 256)])) }

    /// Returns whether a fault loses a write, after the request has been answered without it.
    func losesWrite() async -> Bool {
        guard await take(fault: "ignoredWrites") else { return false }
        try? await Task.sleep(for: .seconds(60))
        return true
    }

    /// Reports values by the names of characteristics, and each one that is refused as an event.
    func report(_ values: [String: JSONValue]) async {
        let names = ProgramNames(accessory)
        let (reports, unknown) = names.reports(of: values)
        let refused = await report(reports).map(names.name) + unknown
        for name in refused { emit(DriverEvent("refused", ["value": name.prefix(utf8Bytes: 64)], isWarning: true)) }
    }
}
