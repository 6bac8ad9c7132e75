package import Documents
package import HAPCore
package import Hosting
internal import Resources

extension RunningProcess {
    /// Sends a request, and returns the JSON of the response.
    ///
    /// - Throws: ``HostError`` with the sentence of the process if it refuses.
    package func request(_ method: String, _ path: String, _ body: DocumentTree? = nil)
        async throws(HostError)
        -> JSONValue
    {
        let response: ConsoleClient.Response
        do throws(ConsoleClient.Failure) {
            response = try await client.send(method, path, body: body.map(JSONWriter.bytes))
        } catch {
            throw failure(error)
        }
        guard response.isSuccess else {
            let detail =
                response.json.object?["detail"]?.string ?? "The process answered with status \(response.status)."
            let code: HostError.Code =
                switch response.status {
                case 400, 404, 422: .usage
                default: .failed
                }
            throw HostError(code, detail)
        }
        return response.json
    }

    /// Returns the failure of a command to which the process gave no response.
    package func failure(_ error: ConsoleClient.Failure) -> HostError {
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
