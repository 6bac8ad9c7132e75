import NIOCore
import Testing

@testable import HAPServer

struct PeerAddressTests {
    @Test(arguments: [
        ("192.0.2.7", 50_112, "192.0.2.7:50112"), ("::1", 1, "[::1]:1"), ("2001:db8::7", 80, "[2001:db8::7]:80"),
        ("::ffff:192.0.2.7", 443, "192.0.2.7:443"), ("::1.2.3.4", 443, "[::1.2.3.4]:443"),
    ])
    func aPeerIsItsHostAndPort(address: String, port: Int, text: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: port).hostAndPort == text)
    }

    @Test func aSocketWithoutAnAddressIsUnknown() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/run/socket").hostAndPort == "unknown")
    }
}
