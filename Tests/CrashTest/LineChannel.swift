import Glibc
import TestSupport

/// A server process that is controlled by lines of text.
final class LineChannel {
    let server: ServerUnderTest
    private let descriptor: Int32
    private var unread: [UInt8] = []

    init(_ command: [String], environment: [String: String] = [:], folder: String) throws {
        // Pipes do not work: another server that starts at the same moment would hold an end of them open.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestFailure("cannot create a pair of sockets")
        }
        descriptor = ends[0]
        defer { close(ends[1]) }
        server = try ServerUnderTest(command, environment: environment, folder: folder, input: ends[1], output: ends[1])
    }

    deinit {
        close(descriptor)
    }

    /// Sends a line.
    func write(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw ConnectionClosed() }
    }

    /// Waits for a complete line and returns it.
    func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw ConnectionClosed() }
            unread += bytes.prefix(count)
        }
    }
}
