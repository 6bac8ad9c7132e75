import AccessoryModel
import ArgumentParser
import HAPCore
import Hosting
import WebConsole

/// The options of commands that ask a running process.
struct ProcessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The state folder of the process. Default: the only process that runs.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The kind of process, if several use the state folder: serve, run or home.",
            valueName: "kind"
        )
    )
    var process: RunningProcess.Kind?

    @Flag(help: "Print JSON.")
    var json = false

    /// Returns the process.
    ///
    /// - Parameter possible: The kinds of processes that can answer.
    /// - Throws: ``CommandFailure`` if there is none, or more than one.
    func running(_ possible: Set<RunningProcess.Kind> = [.serve, .run]) async throws(CommandFailure) -> RunningProcess {
        try RunningProcess.only(process.map { possible.intersection([$0]) } ?? possible, state: state)
    }
}

extension RunningProcess {
    /// Sends a request, and returns the JSON of the response.
    ///
    /// - Throws: ``CommandFailure`` with the sentence of the process if it refuses.
    func request(_ method: String, _ path: String, _ write: ((inout JSONWriter) -> Void)? = nil)
        async throws(CommandFailure)
        -> JSONValue
    {
        let response: ConsoleClient.Response
        do throws(ConsoleClient.Failure) {
            response = try await client.send(method, path, body: write.map { Array(JSONWriter.line($0).utf8) })
        } catch {
            throw failure(error)
        }
        guard response.isSuccess else {
            let detail =
                response.json.object?["detail"]?.string ?? "The process answered with status \(response.status)."
            let code: CommandFailure.Code =
                switch response.status {
                case 400, 404, 422: .usage
                default: .failed
                }
            throw CommandFailure(code, detail)
        }
        return response.json
    }

    /// Returns the failure of a command to which the process gave no response.
    func failure(_ error: ConsoleClient.Failure) -> CommandFailure {
        switch error {
        case .notRunning, .interrupted:
            .unavailable("The process with the state folder \(folder) does not answer; check that it still runs.")
        case .tooLarge:
            .unavailable(
                "The process with the state folder \(folder) has sent more than a command reads; ask for less, for example "
                    + "with --last or --kinds."
            )
        }
    }
}

extension RunningProcess.Kind: ExpressibleByArgument {}
