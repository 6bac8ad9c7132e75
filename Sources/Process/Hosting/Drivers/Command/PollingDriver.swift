internal import AccessoryModel
internal import HAPCore
internal import HAPServer
internal import Simulation

/// The driver that runs a program for each value, and one for each write.
actor PollingDriver: Driver {
    private let parameters: CommandParameters
    private let port: DriverPort
    /// The number of writes that have begun or ended; a value that was read meanwhile is outdated.
    private var writeCount = 0

    init(_ parameters: CommandParameters, _ port: DriverPort) {
        (self.parameters, self.port) = (parameters, port)
    }

    func run() async throws {
        var lastFailure = ""
        while true {
            let count = writeCount
            var failure = ""
            do {
                let (output, exit) = try await RunningProgram.output(
                    of: parameters.reader,
                    folder: port.accessory.folder,
                    environment: parameters.environment,
                    timeLimit: parameters.timeLimit,
                    errorLine: port.emitErrorLine
                )
                if exit != .code(0) { throw ProgramError.ended(exit) }
                if count == writeCount, await !port.take(fault: "lostReports") {
                    await port.report(try values(in: String(decoding: output, as: UTF8.self)))
                }
            } catch {
                try Task.checkCancellation()
                failure = "\(error)"
            }
            await port.setReachable(failure.isEmpty)
            // The first of equal failures is reported.
            if failure != lastFailure, !failure.isEmpty {
                port.emit(DriverEvent("failed", ["reason": failure.prefix(utf8Bytes: 256)], isWarning: true))
            }
            lastFailure = failure
            try await Task.sleep(for: parameters.interval)
        }
    }

    /// Returns the values of an output: an object of JSON with several, or else the value itself.
    private func values(in output: String) throws -> [String: JSONValue] {
        let text = output.trimmed
        if text.hasPrefix("{"), let object = try? JSONValue(parsing: Array(text.utf8)).object {
            return Dictionary(object.members.map { ($0.key, $0.value) }) { $1 }
        }
        let names = ProgramNames(port.accessory)
        let key = parameters.characteristic.map { names.key(named: $0) } ?? port.accessory.firstReadableKey
        guard let key else {
            throw ProgramError.system("No characteristic can have the value; name one with \"characteristic\".")
        }
        guard names.value(.string(text), of: key) != nil else {
            throw ProgramError.system("\"\(text.prefix(100))\" is not a value of \(names.name(of: key)).")
        }
        return [names.name(of: key): .string(text)]
    }

    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
        guard !parameters.writer.isEmpty else { return request.writes.map { DriverWriteResult($0.key, .readOnly) } }
        guard await !port.losesWrite() else { return [] }
        writeCount += 1
        defer { writeCount += 1 }
        let names = ProgramNames(port.accessory)
        let arguments = request.writes.flatMap {
            [names.name(of: $0.key), $0.value.json.string ?? $0.value.description]
        }
        let outcome = try? await RunningProgram.output(
            of: parameters.writer + arguments,
            folder: port.accessory.folder,
            environment: parameters.environment,
            timeLimit: max(.zero, MonotonicInstant.now.duration(to: request.deadline)),
            errorLine: port.emitErrorLine
        )
        return outcome?.exit == .code(0) ? request.writes.map { DriverWriteResult($0.key) } : []
    }
}

extension DrivenAccessory {
    /// The first characteristic that can be read and is not a name.
    fileprivate var firstReadableKey: CharacteristicKey? {
        drivenKeys.first { key in
            key.type != .name && key.type != .configuredName
                && characteristic(key)?.permissions.contains(.read) ?? false
        }
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        var text = Substring(self).drop { $0.isWhitespace }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
