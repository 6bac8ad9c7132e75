import Foundation
import HAPCore
import TestSupport
import Testing

@testable import WebConsole

/// Sessions of browsers over TCP.
@Suite(.timeLimit(.minutes(1))) struct ConsoleListenerTests {
    /// A connection that blocks another thread than those of tasks.
    private final class Connection: Sendable {
        private let descriptor: Int32

        init(_ port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = UInt16(port).bigEndian
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
            }
            try #require(isConnected)
            var limit = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit {
            close(descriptor)
        }

        func send(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
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
                            guard count > 0 else { return continuation.resume(returning: nil) }
                            text += String(decoding: bytes.prefix(count), as: UTF8.self)
                        }
                        continuation.resume(returning: text)
                    }
            }
        }
    }

    @Test(arguments: ["events", "messages"])
    func streamEndsWithItsSession(stream: String) async throws {
        let token = try #require(AccessToken(String(repeating: "0123456789abcdef", count: 4)))
        let console = Console(of: "serve", version: "1", EventJournal())
        let (task, port) = try await console.listen(host: "127.0.0.1", port: 0, token)
        defer { task.cancel() }
        func head(_ method: String, _ path: String, _ fields: String = "") -> String {
            "\(method) /api/v1/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
        }
        let login = try Connection(port)
        let body = "{\"token\":\"\(token.secret)\"}"
        let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        login.send(head("POST", "session", fields) + body)
        let answer = try #require(await login.read { $0.contains("\r\n\r\n") })
        #expect(answer.hasPrefix("HTTP/1.1 204"), "\(answer)")
        let cookie = try #require(answer.firstMatch(of: /hap-(\d+)=[0-9a-f]+/))
        #expect(cookie.1 == "\(port)")
        let reader = try Connection(port)
        reader.send(head("GET", stream, "Cookie: \(cookie.0)\r\n"))
        let begin = await reader.read { $0.contains("\n: ") || $0.contains("401") }
        #expect(begin?.hasPrefix("HTTP/1.1 200") == true, "\(begin ?? "")")
        let leaving = try Connection(port)
        leaving.send(head("DELETE", "session", "Cookie: \(cookie.0)\r\n"))
        #expect(await leaving.read { $0.contains("\r\n\r\n") }?.hasPrefix("HTTP/1.1 204") == true)
        #expect(await reader.read() != nil, "the stream continues without a session")
    }
}
