import AsyncPrimitives
import Foundation
import HAPCore
import HostTestSupport
import Hosting
import Simulation
import TestSupport
import Testing

@testable import WebConsole

/// The API over sockets: sessions, limits of clients with and without access, and the end.
@Suite(.timeLimit(.minutes(1))) struct ConsoleListenerTests {
    /// The API on a TCP port of the loopback interface.
    private struct TestConsole {
        let token: AccessToken
        let sockets: ConsoleSockets
        let port: Int

        init(_ console: Console = Console(of: "serve", version: "1", EventJournal())) async throws {
            token = try #require(AccessToken(String(repeating: "0123456789abcdef", count: 4)))
            // A busy machine may need longer than usual.
            sockets = ConsoleSockets(console, stopTime: .seconds(600))
            port = try await sockets.listen(host: "127.0.0.1", port: 0, token)
        }

        func connect() throws -> TestConnection { try TestConnection(port) }

        /// Returns the head of a request.
        func head(_ method: String, _ path: String, _ fields: String..., version: String = "1.1") -> String {
            let lines =
                ["\(method) \(path) HTTP/\(version)", "Host: 127.0.0.1:\(port)"] + fields.filter { !$0.isEmpty }
            return (lines + ["", ""]).joined(separator: "\r\n")
        }

        /// The field with the token.
        var access: String { "Authorization: Bearer \(token.secret)" }

        /// Returns a request whose body is announced and has not begun to arrive.
        func announcement(of count: Int, _ path: String = "/api/v1/definitions/check", _ fields: String...) -> String {
            head(
                "POST",
                path,
                fields.joined(separator: "\r\n"),
                "Content-Type: application/json",
                "Content-Length: \(count)"
            )
        }
    }

    @Test(arguments: ["events", "messages"])
    func streamEndsWithItsSession(stream: String) async throws {
        let console = try await TestConsole()
        let login = try console.connect()
        let body = "{\"token\":\"\(console.token.secret)\"}"
        login.send(
            console.head(
                "POST",
                "/api/v1/session",
                "Content-Type: application/json",
                "Content-Length: \(body.utf8.count)"
            ) + body
        )
        let answer = try #require(await login.read { $0.contains("\r\n\r\n") })
        #expect(answer.hasPrefix("HTTP/1.1 204"), "\(answer)")
        let cookie = try #require(answer.firstMatch(of: /hap-(\d+)=[0-9a-f]+/))
        #expect(cookie.1 == "\(console.port)")
        let reader = try console.connect()
        reader.send(console.head("GET", "/api/v1/\(stream)", "Cookie: \(cookie.0)"))
        let begin = await reader.read { $0.contains("\n: ") || $0.contains("401") }
        #expect(begin?.hasPrefix("HTTP/1.1 200") == true, "\(begin ?? "")")
        let leaving = try console.connect()
        leaving.send(console.head("DELETE", "/api/v1/session", "Cookie: \(cookie.0)"))
        #expect(await leaving.read { $0.contains("\r\n\r\n") }?.hasPrefix("HTTP/1.1 204") == true)
        #expect(await reader.read() != nil, "the stream continues without a session")
        await console.sockets.stop()
    }

    @Test func wrongTokenBeginsNoSession() async throws {
        let console = try await TestConsole()
        let body = "{\"token\":\"\(String(repeating: "0", count: 64))\"}"
        let login = try console.connect()
        login.send(console.announcement(of: body.utf8.count, "/api/v1/session") + body)
        let answer = try #require(await login.read { $0.contains("}") })
        #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains("wrong-token"), "\(answer)")
        #expect(!answer.contains("Set-Cookie"))
        await console.sockets.stop()
    }

    @Test func connectionsAreFinishedWheneverTheListenerStops() async throws {
        for _ in 0..<10 {
            let console = try await TestConsole()
            let isStopped = OnceFlag()
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        while isStopped.isUnclaimed, let connection = try? console.connect() {
                            connection.send(console.head("GET", "/healthz"))
                            _ = await connection.read { !$0.isEmpty }
                        }
                    }
                }
                for _ in 0..<3 {
                    let connection = try console.connect()
                    connection.send(console.head("GET", "/healthz"))
                    #expect(await connection.read { $0.contains("ok") } != nil)
                }
                await console.sockets.stop()
                _ = isStopped.claim()
                try await group.waitForAll()
            }
        }
    }

    @Test func pendingRequestIsAnsweredAtTheEndAndALaterOneIsNot() async throws {
        let checks = ConcurrencyLimiter(1, patience: .seconds(60))
        let console = try await TestConsole(Console(of: "serve", version: "1", EventJournal(), checks: checks))
        #expect(await checks.acquire())
        let (pending, idle) = (try console.connect(), try console.connect())
        idle.send(console.head("GET", "/api/v1/status", console.access))
        #expect(await idle.read { $0.contains("\"process\"") } != nil)
        try await eventually("the first response has ended") { console.sockets.pendingResponseCount == 0 }
        let body = "{\"text\":\"accessory: Lamp\"}"
        pending.send(console.announcement(of: body.utf8.count, "/api/v1/definitions/check", console.access) + body)
        try await eventually("the definition waits") { console.sockets.pendingResponseCount == 1 }
        // A body that has not arrived is not waited for.
        let unfinished = try console.connect()
        unfinished.send(console.announcement(of: 10, "/api/v1/definitions/check", console.access))
        await console.sockets.stopAccepting()
        #expect(await idle.read() == "")
        #expect(await unfinished.read() == "")
        #expect(throws: (any Error).self) { try console.connect() }
        // The end of a process can be in a task that is canceled.
        let stop = Task {
            while !Task.isCancelled { await Task.yield() }
            await console.sockets.stop()
        }
        stop.cancel()
        // Waits: a wrong end of the process would come in this time, and has no signal.
        try await Task.sleep(for: .milliseconds(100))
        checks.release()
        let answer = try #require(await pending.read())
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        await stop.value
    }

    @Test func clientsWithoutAccessGiveWayAndTheOwnerStays() async throws {
        let console = try await TestConsole()
        let owner = try console.connect()
        owner.send(console.head("GET", "/api/v1/status", console.access))
        #expect(await owner.read { $0.contains("\"process\"") } != nil)
        let silent = try (0..<ConsoleLimits.connections + 20).map { _ in try console.connect() }
        let late = try console.connect()
        late.send(console.head("GET", "/api/v1/status", console.access))
        #expect(await late.read { $0.contains("\"process\"") } != nil)
        // The oldest one without access was closed, and the owner's was not.
        #expect(await silent[0].read() == "")
        owner.send(console.head("GET", "/api/v1/status", console.access))
        #expect(await owner.read { $0.contains("\"process\"") } != nil)
        silent[silent.count - 1].send(console.head("GET", "/healthz"))
        #expect(await silent[silent.count - 1].read { $0.contains("ok") } != nil)
        await console.sockets.stop()
    }

    @Test func placesOfClientsWithAccessAreNotTaken() async throws {
        let console = try await TestConsole()
        let owners = try (0..<ConsoleLimits.connections).map { _ in try console.connect() }
        for owner in owners {
            owner.send(console.head("GET", "/api/v1/status", console.access))
            #expect(await owner.read { $0.contains("\"process\"") } != nil)
        }
        // One more may be accepted; the others wait.
        let waiting = try (0..<4).map { _ in try console.connect() }
        for connection in waiting { connection.send(console.head("GET", "/api/v1/status", console.access)) }
        owners[0].send(console.head("GET", "/api/v1/status", console.access))
        #expect(await owners[0].read { $0.contains("\"process\"") } != nil)
        for owner in owners[1...4] { owner.close() }
        for connection in waiting {
            let answer = await connection.read { $0.contains("\"process\"") }
            #expect(answer?.hasPrefix("HTTP/1.1 200") == true, "\(answer ?? "nothing")")
        }
        await console.sockets.stop()
    }

    @Test(arguments: [(ConsoleLimits.unauthenticatedBody, false), (ConsoleLimits.body, true)])
    func largeBodyIsRefusedByItsHead(limit: Int, isAuthenticated: Bool) async throws {
        let console = try await TestConsole()
        let (path, access) = isAuthenticated ? ("/api/v1/definitions/check", console.access) : ("/api/v1/session", "")
        let connection = try console.connect()
        connection.send(console.announcement(of: limit + 1, path, access))
        let answer = try #require(await connection.read())
        #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        #expect(answer.contains("The body has more than \(limit) bytes."))
        let chunked = try console.connect()
        chunked.send(console.head("POST", path, access, "Content-Type: application/json", "Transfer-Encoding: chunked"))
        let size = limit + 1
        chunked.send("\(String(size, radix: 16))\r\n\(String(repeating: " ", count: size))\r\n")
        #expect(await chunked.read()?.hasPrefix("HTTP/1.1 413") == true)
        await console.sockets.stop()
    }

    @Test func bodiesHaveOneBudget() async throws {
        let console = try await TestConsole()
        let count = ConsoleLimits.bodies / ConsoleLimits.body
        let bodies = try (0..<count).map { _ in try console.connect() }
        for body in bodies {
            body.send(console.announcement(of: ConsoleLimits.body, "/api/v1/definitions/check", console.access))
        }
        // The requests arrive in any order, so each one is known to be counted when a further one is refused.
        try await eventually("the bodies are counted") {
            let further = try console.connect()
            further.send(
                console.announcement(
                    of: ConsoleLimits.body,
                    "/api/v1/definitions/check",
                    console.access,
                    "Connection: close"
                )
            )
            return await further.read { $0.contains("busy") }?.hasPrefix("HTTP/1.1 503") == true
        }
        // A client without access is not affected.
        let login = try console.connect()
        login.send(console.announcement(of: 2, "/api/v1/session") + "{}")
        #expect(await login.read { $0.contains("}") }?.hasPrefix("HTTP/1.1 400") == true)
        for body in bodies { body.close() }
        try await eventually("the budget is free") {
            let next = try console.connect()
            next.send(console.announcement(of: ConsoleLimits.body - 1, "/api/v1/definitions/check", console.access))
            next.send(String(repeating: " ", count: ConsoleLimits.body - 1))
            return await next.read { $0.contains("}") }?.hasPrefix("HTTP/1.1 503") == false
        }
        await console.sockets.stop()
    }

    @Test func clientThatIsNotAuthenticatedHasOneRequest() async throws {
        let console = try await TestConsole()
        let connection = try console.connect()
        connection.send(console.head("GET", "/healthz") + console.head("GET", "/healthz"))
        let answer = try #require(await connection.read())
        #expect(answer.contains("Connection: close") && answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        await console.sockets.stop()
    }

    @Test func requestAfterTheLastResponseIsNotPerformed() async throws {
        let journal = EventJournal()
        let host = AccessoryHost(testing: .testing)
        let console = try await TestConsole(Console(of: "serve", version: "1", journal, host: host))
        let command = "{\"command\":\"pause\"}"
        let size = command.utf8.count
        for (field, isPerformed) in [("", true), ("Connection: close", false)] {
            let connection = try console.connect()
            connection.send(
                console.head("GET", "/api/v1/status", console.access, field)
                    + console.announcement(of: size, "/api/v1/commands", console.access, "Connection: close") + command
            )
            let answer = try #require(await connection.read())
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == (isPerformed ? 3 : 2), "\(answer)")
            let commands = journal.events(after: 0).events.filter { $0.content.kind == "command" }
            #expect(commands.count == 1)
        }
        await console.sockets.stop()
    }

    @Test func clientThatHalfClosesReceivesTheWholeResponse() async throws {
        let console = try await TestConsole()
        let connection = try TestConnection(console.port, receiveBuffer: 4_096)
        connection.send(console.head("GET", "/openapi.json", console.access))
        connection.halfClose()
        // Waits: longer than the server waits after its last byte, which it cannot send yet.
        try await Task.sleep(for: .milliseconds(1_500))
        let answer = try #require(await connection.read())
        let head = try #require(answer.firstRange(of: "\r\n\r\n"))
        let length = try #require(answer.firstMatch(of: /Content-Length: (\d+)/))
        #expect(answer[head.upperBound...].utf8.count == Int(length.1))
        await console.sockets.stop()
    }

    @Test(arguments: [
        ("1.0", ""), ("1.0", "Connection: keep-alive"), ("1.1", "Connection: close"),
        ("1.1", "Connection: Keep, Close"),
    ])
    func connectionThatIsNotKeptOpenIsClosed(version: String, field: String) async throws {
        let console = try await TestConsole()
        let connection = try console.connect()
        connection.send(console.head("GET", "/healthz", field, version: version))
        let answer = try #require(await connection.read())
        #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("ok\n"), "\(answer)")
        await console.sockets.stop()
    }

    @Test func bodyWithAFramingErrorIsABadRequest() async throws {
        let console = try await TestConsole()
        let connection = try console.connect()
        connection.send(
            console.head(
                "POST",
                "/api/v1/definitions/check",
                console.access,
                "Content-Type: application/json",
                "Transfer-Encoding: chunked"
            ) + "not hexadecimal\r\n"
        )
        let answer = try #require(await connection.read())
        #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("malformed-body"), "\(answer)")
        await console.sockets.stop()
    }
}

/// A connection that blocks another thread than those of tasks.
private final class TestConnection: Sendable {
    private let descriptor: Int32

    init(_ port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else { throw TestFailure("not connected: \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        Glibc.close(descriptor)
    }

    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Ends the connection in the direction of the server.
    func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection in both directions.
    func close() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns what arrives until a condition, or until the end of the connection; `nil` if it takes too long.
    func read(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async { [descriptor] in
                    var text = ""
                    var bytes = [UInt8](repeating: 0, count: 4_096)
                    while !isEnough(text) {
                        let count = recv(descriptor, &bytes, bytes.count, 0)
                        guard count != 0 else { break }
                        guard count > 0 else {
                            // A reset ends a connection, too.
                            return continuation.resume(returning: errno == ECONNRESET ? text : nil)
                        }
                        text += String(decoding: bytes.prefix(count), as: UTF8.self)
                    }
                    continuation.resume(returning: text)
                }
        }
    }
}
