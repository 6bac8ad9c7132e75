internal import AccessoryModel
internal import Documents
internal import HAPCore
package import Hosting
internal import Resources

extension RunningProcess {
    private static let homeFilePath = "/api/v1/home/file"

    /// Returns the file of the home that the process runs.
    ///
    /// - Throws: ``HostError``, also if the file has errors.
    package func homeFile() async throws(HostError) -> ServedHomeFile.Content {
        let answer: JSONObject?
        do throws(HostError) {
            answer = try await request("GET", Self.homeFilePath).object
        } catch {
            // The arguments of the command are not the reason.
            throw error.code == .usage ? .failed(error.message) : error
        }
        guard let path = answer?["path"]?.string, let text = answer?["text"]?.string,
            let revision = answer?["revision"]?.string
        else { throw .unavailable("The process has not answered with the file of its home; try again.") }
        return ServedHomeFile.Content(path: path, text: text, revision: revision)
    }

    /// Replaces the file of the home that the process runs.
    ///
    /// - Parameters:
    ///   - file: The content from which the text was made.
    ///   - renames: The new names of objects that keep their state.
    /// - Throws: ``HostError``; nothing is changed then.
    package func replaceHomeFile(
        _ file: ServedHomeFile.Content,
        with text: String,
        renames: [HomeFileRename] = []
    ) async throws(HostError) {
        let content = HomeFileRequest(text: text, revision: file.revision, renames: renames)
        let body = JSONWriter.bytes(of: HomeFileRequest.format.write(content))
        let response: ConsoleClient.Response
        do throws(ConsoleClient.Failure) {
            response = try await client.send("PUT", Self.homeFilePath, body: body)
        } catch {
            throw failure(error)
        }
        guard !response.isSuccess else { return }
        let problem = response.json.object
        let path = file.path.escapingControlCharacters
        guard problem?["code"]?.string != "changed" else {
            throw .failed("\(path) was changed while this command ran; run it again.")
        }
        throw .failed(
            problem?["detail"]?.string ?? "\(path) was not changed: the process answered with \(response.status)."
        )
    }
}
