import Foundation
import HAPCore
import HTTPTypes
import HostTestSupport
import Synchronization
import TestSupport

@testable import Hosting
@testable import WebConsole

/// A folder of definitions that a host serves, and the API of the process.
///
/// The folder on disk is checked when a test says so, and not by a timer.
final class ServedFolder: Sendable {
    let host: AccessoryHost
    let files: ServedFiles
    /// The errors and warnings of the start.
    let lines: [String]
    private let console: Console
    private let notes: RecordedNotes

    /// Starts the servers of a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - named: The files that are named in addition.
    ///   - port: The port of the first server, or 0 for any.
    init(_ path: String, named: [String] = [], port: UInt16 = 0, trace: TraceWriter? = nil) async throws {
        let folder = try AccessoryFolder(NamedFile(path))
        let named = try HostedContent.load(named.map { NamedFile($0) }, home: nil, hasFolder: true, nil).served
        let contents = FolderContents(of: folder, besides: named, nil, seed: 0)
        lines = contents.lines
        var settings = HostSettings.testing
        settings.port = port
        let (journal, notes, traffic) = (EventJournal(), RecordedNotes(), TrafficRecorder(trace))
        host = AccessoryHost(testing: settings, observers: [journal, notes, traffic])
        self.notes = notes
        files = ServedFiles(host, folder, contents.files)
        try await host.start(contents.accessories)
        console = Console(of: "serve", version: "1", journal, host: host, traffic: traffic, definitions: files)
    }

    /// The notes about the folder and its servers so far.
    var output: String { notes.text }

    /// Checks the folder until its changes are served.
    ///
    /// A change is read when two checks agree.
    func check() async {
        for _ in 0..<2 { await files.check() }
    }

    /// Performs a request, and returns the status and the object of the answer.
    func request(
        _ method: WebRequest.Method,
        _ path: String,
        _ body: String? = nil
    ) async throws -> (status: Int, json: JSONObject?) {
        let (status, json) = try await respond(method, path, body)
        return (status, json?.object)
    }

    /// Saves a text, and returns the status and the answer.
    func save(
        _ text: String,
        to name: String,
        revision: String? = nil,
        keepCopy: Bool = false
    ) async throws -> (status: Int, json: JSONObject?) {
        let body = Self.json([
            ("text", .string(text)), ("revision", revision.map { .string($0) } ?? .null), ("keepCopy", .bool(keepCopy)),
        ])
        return try await request(.put, "/definitions/\(name)", body)
    }

    /// Returns a member of each object in a list.
    func list(_ path: String, _ key: String) async throws -> [String?] {
        (try await respond(.get, path, nil).json?.array ?? []).map { $0.object?[key]?.string }
    }

    /// Returns an object as text.
    static func json(_ members: [(String, JSONValue)]) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in members {
            writer.key(name)
            writer.value(value)
        }
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private func respond(
        _ method: WebRequest.Method,
        _ path: String,
        _ body: String?
    ) async throws -> (status: Int, json: JSONValue?) {
        let response: APIResponse
        do throws(Problem) {
            response = try await console.response(method, "/api/v1\(path)", body ?? "")
        } catch {
            response = APIResponse(error)
        }
        guard case .bytes(let bytes) = response.content, !bytes.isEmpty else { return (response.status.code, nil) }
        return (response.status.code, try JSONValue(parsing: bytes))
    }
}

/// The notes of a host for its user.
private final class RecordedNotes: HostObserver {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.map { "\($0)\n" }.joined() } }

    func report(_ note: HostNote) {
        switch note {
        case .line(let text), .event(let text), .warning(let text): lines.withLock { $0.append(text) }
        case .fileChanged, .folderChanged: break
        }
    }
}
