import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func serviceManagerIsNotifiedOfReadinessAndEnd(isAbstract: Bool) async throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@\(folder("notify"))" : folder("notify")
        let descriptor = try Self.bind(name)
        defer { close(descriptor) }
        let process = try HapCommand(
            ["serve", "--bind", "127.0.0.1", "--advertise", "off", "--state", folder("state")],
            environment: ["NOTIFY_SOCKET": name]
        )
        #expect(Self.receive(descriptor) == "READY=1")
        #expect(try await process.terminate().status == 0)
        #expect(Self.receive(descriptor) == "STOPPING=1")
    }

    @Test(arguments: ["", "relative", "/missing/socket", "/" + String(repeating: "long", count: 100)])
    func addressWithoutListenerIsIgnored(address: String) async throws {
        let folder = try TemporaryFolder()
        let process = try HapCommand(
            [
                "serve", "--bind", "127.0.0.1", "--advertise", "off", "--state", folder("state"), "--ready-file",
                folder("ready"),
            ],
            environment: ["NOTIFY_SOCKET": address]
        )
        try await HapCommand.wait { FileManager.default.fileExists(atPath: folder("ready")) }
        #expect(try await process.terminate().status == 0)
    }

    private static func receive(_ descriptor: Int32) -> String {
        var message = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &message, message.count, 0)
        return String(decoding: message.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns a datagram socket like systemd's, which times out after a minute.
    private static func bind(_ name: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: name.utf8)
            if name.hasPrefix("@") { field[0] = 0 }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(descriptor, $0, size) == 0 }
        }
        try #require(isBound)
        return descriptor
    }
}
