import Glibc
import HAPCore
import HAPServer
import TestSupport
import Testing

struct AcceptedSocketTests {
    /// TCP_NODELAY has the same number as SO_DEBUG, so setting it at the wrong level sets SO_DEBUG.
    ///
    /// Only root may set SO_DEBUG, so connections failed if the server ran as another user.
    @Test func acceptedSocketHasNoDelayKeepaliveAndNoDebugOption() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            _ = try await controller.request(HTTPRequest(.get, .accessories))
            let socket = try #require(Self.acceptedSocket(at: await server.server.information.port))
            #expect(Self.option(TCP_NODELAY, Int32(IPPROTO_TCP), of: socket) == 1)
            #expect(Self.option(TCP_USER_TIMEOUT, Int32(IPPROTO_TCP), of: socket) == 30_000)
            #expect(Self.option(SO_DEBUG, SOL_SOCKET, of: socket) == 0)
        }
    }

    /// Returns the connected socket of this process that has this local port.
    private static func acceptedSocket(at port: UInt16) -> Int32? {
        // Other tests may have so many sockets open that its number is above 1,024.
        (0..<getdtablesize())
            .first { descriptor in
                var (own, peer) = (sockaddr_in6(), sockaddr_in6())
                var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
                let hasNames = withUnsafeMutableBytes(of: &own) { own in
                    withUnsafeMutableBytes(of: &peer) { peer in
                        guard let own = own.baseAddress, let peer = peer.baseAddress else { return false }
                        return getsockname(descriptor, own.assumingMemoryBound(to: sockaddr.self), &size) == 0
                            && getpeername(descriptor, peer.assumingMemoryBound(to: sockaddr.self), &size) == 0
                    }
                }
                return hasNames && UInt16(bigEndian: own.sin6_port) == port
            }
    }

    private static func option(_ name: Int32, _ level: Int32, of socket: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, level, name, &value, &size) == 0 ? value : nil
    }
}
