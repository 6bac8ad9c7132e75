import AsyncPrimitives
import Foundation
import HAPCore
import TestSupport
import Testing

@testable import WebConsole

/// The client of another process's API.
@Suite(.timeLimit(.minutes(1))) struct ConsoleClientTests {
    @Test(arguments: [false, true]) func processThatDoesNotAnswerAtAllIsNotRunning(isStream: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder("silent.sock")
        let listener = try Self.listen(at: path)
        defer { close(listener) }
        let client = ConsoleClient(
            socket: path,
            checkInterval: .milliseconds(10),
            checkTime: .milliseconds(100)
        )
        let failure = await #expect(throws: ConsoleClient.Failure.self) {
            if isStream {
                try await client.follow("/api/v1/events") { _ in true }
            } else {
                _ = try await client.send("POST", "/api/v1/commands", body: Array("{}".utf8))
            }
        }
        #expect(failure == .notRunning)
    }

    @Test(arguments: [false, true]) func processThatIsBusyMayTakeAnyTime(isShuttingDown: Bool) async throws {
        let folder = try TemporaryFolder()
        let checks = ConcurrencyLimiter(1, patience: .seconds(60))
        let console = Console(of: "serve", version: "1", EventJournal(), checks: checks)
        let sockets = ConsoleSockets(console)
        try await sockets.listen(onSocket: folder("serve.sock"))
        #expect(await checks.acquire())
        // It is asked many times whether it runs while it waits.
        let client = ConsoleClient(
            socket: folder("serve.sock"),
            checkInterval: .milliseconds(20),
            checkTime: .seconds(60)
        )
        async let response = client.send(
            "POST",
            "/api/v1/definitions/check",
            body: Array("{\"text\":\"accessory: Lamp\"}".utf8)
        )
        try await eventually("the definition waits") { sockets.pendingResponseCount == 1 }
        if isShuttingDown { await sockets.stopAccepting() }
        // Waits: the client asks at its own intervals.
        try await Task.sleep(for: .milliseconds(200))
        checks.release()
        #expect(try await response.status == 200)
        await sockets.stop()
    }

    @Test(arguments: [1, 2, 7, 1_000]) func eventsArriveInPartsOfAnySize(size: Int) {
        let bytes = Array(
            ": comment\n\nid: 1\nevent: value\ndata: {\"a\":1}\n\nid: 2\n\ndata: b\ndata: c\n\ndata: rest".utf8
        )
        var events = ServerSentEvents(maximumSize: 100)
        var data: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            data += events.append(Array(bytes[start..<min(start + size, bytes.count)])) ?? ["too large"]
        }
        #expect(data == ["{\"a\":1}", "b", "c"])
    }

    @Test func eventWithoutAnEndIsTooLarge() {
        var events = ServerSentEvents(maximumSize: 100)
        #expect(events.append(Array("data: \(String(repeating: "x", count: 90))".utf8)) == [])
        #expect(events.append(Array(repeating: 0x78, count: 10)) == nil)
    }

    private static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: Array(path.utf8).prefix(target.count - 1))
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound, Glibc.listen(descriptor, 8) == 0 else {
            throw TestFailure("not listening: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }
}
