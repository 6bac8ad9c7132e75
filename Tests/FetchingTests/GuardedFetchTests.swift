import Certificates
import Foundation
import HTTPTestSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import Fetching

/// Which hosts are connected to.
@Suite(.timeLimit(.minutes(1)))
struct GuardedFetchTests {
    private static let content: [UInt8] = [1, 2, 3]
    private static let loopback = IPAddress([127, 0, 0, 1])
    /// An address of this machine that is exempt, so that there is a server which may be used.
    private static let exempt = IPAddress([127, 0, 0, 2])

    @Test(arguments: [
        "http://127.0.0.1", "http://127.1", "http://0x7f000001", "http://2130706433", "http://[::ffff:127.0.0.1]",
        "http://[::1]", "http://0", "http://local.test", "http://mapped.test", "http://both.test",
    ])
    func privateAddressIsRefusedWithoutAConnection(_ start: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .document(Self.content)
        } body: { server in
            let mapped = try #require(IPAddress("::ffff:127.0.0.1"))
            #expect(mapped == Self.loopback)
            let fixture = FetcherFixture(
                .exempting(Self.exempt),
                names: [
                    "local.test": [[Self.loopback]], "mapped.test": [[mapped]],
                    "both.test": [[Self.exempt, Self.loopback]],
                ]
            )
            let address = start.contains("[::1]") ? "0:0:0:0:0:0:0:1" : start.hasSuffix("/0") ? "0.0.0.0" : "127.0.0.1"
            #expect(await fixture.fetch("\(start):\(server.port)/") == .failure(.refusedAddress(address)))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: ["http://127.0.0.1", "//localhost.test", "http://[::ffff:127.0.0.1]", "http://2130706433"])
    func redirectToAPrivateAddressIsRefused(_ target: String) async throws {
        try await TestHTTPServer.run { _, _ in
            .document(Self.content)
        } body: { inner in
            try await TestHTTPServer.run(on: "127.0.0.2") { _, _ in
                .redirect(to: "\(target):\(inner.port)/")
            } body: { outer in
                let fixture = FetcherFixture(
                    .exempting(Self.exempt),
                    names: ["start.test": [[Self.exempt]], "localhost.test": [[], [Self.loopback]]]
                )
                #expect(
                    await fixture.fetch("http://start.test:\(outer.port)/") == .failure(.refusedAddress("127.0.0.1"))
                )
                #expect(outer.requests.count == 1 && inner.requests.isEmpty)
            }
        }
    }

    @Test
    func nameIsLookedUpOncePerRequestAndConnectedToThatAddress() async throws {
        try await TestHTTPServer.run(on: "127.0.0.2") { _, number in
            number == 1 ? .document(Self.content) : .redirect(to: "/again")
        } body: { server in
            let fixture = FetcherFixture(
                .exempting(Self.exempt),
                names: ["start.test": [[Self.exempt], [Self.exempt], [Self.loopback]]]
            )
            let start = "http://Start.test:\(server.port)"
            #expect(await fixture.fetch(start + "/1") == .success(Self.content))
            #expect(fixture.questions.count == 1)
            #expect(server.values(of: "Host") == ["start.test:\(server.port)"])
            // The name has another address when the redirect is followed.
            #expect(await fixture.fetch(start + "/2") == .failure(.refusedAddress("127.0.0.1")))
            #expect(fixture.questions.count == 3 && server.requests.map(\.uri) == ["/1", "/2"])
        }
    }

    @Test
    func nextAddressIsTriedIfTheFirstOneFails() async throws {
        try await TestHTTPServer.run { _, _ in
            .document(Self.content)
        } body: { server in
            // No test has a server at the first address.
            let fixture = FetcherFixture(names: ["two.test": [[IPAddress([127, 0, 0, 3]), Self.loopback]]])
            #expect(await fixture.fetch("http://two.test:\(server.port)/") == .success(Self.content))
        }
    }

    @Test
    func certificateIsComparedWithTheNameOfTheHost() async throws {
        let (authority, key) = (try RSAKey.generate(), try RSAKey.generate())
        let times = (Int(Date.now.timeIntervalSince1970) - 3_600, Int(Date.now.timeIntervalSince1970) + 86_400)
        let root = try Certificate.make(
            .authority,
            subject: "Root",
            key: authority,
            notBefore: times.0,
            notAfter: times.1
        )
        let leaf = try Certificate.make(
            .server,
            subject: "right.test",
            key: key,
            issuer: ("Root", authority),
            notBefore: times.0,
            notAfter: times.1
        )
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(NIOSSLCertificate(bytes: leaf.der, format: .der))],
                privateKey: .privateKey(NIOSSLPrivateKey(bytes: key.der, format: .der))
            )
        )
        try await TestHTTPServer.run(tls: context) { _, _ in
            .document(Self.content)
        } body: { server in
            var tls = TLSConfiguration.makeClientConfiguration()
            let names = ["right.test": [[Self.loopback]], "wrong.test": [[Self.loopback]]]
            let strangers = FetcherFixture(names: names)
            tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: root.der, format: .der)])
            let friends = FetcherFixture(.allowingPrivateAddresses.with { [tls] in $0.tls = tls }, names: names)
            #expect(await friends.fetch("https://right.test:\(server.port)/") == .success(Self.content))
            for (fixture, host, words) in [
                (friends, "wrong.test", "failedToValidateHostname"), (friends, "127.0.0.1", "failedToValidateHostname"),
                (strangers, "right.test", "CERTIFICATE_VERIFY_FAILED"),
            ] {
                let result = await fixture.fetch("https://\(host):\(server.port)/")
                #expect("\(result)".contains(words))
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test
    func hostThatDoesNotAcceptIsLeft() async throws {
        // The queue of connections has one place.
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let first = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
        let limit = Duration.milliseconds(50)
        let fixture = FetcherFixture(.allowingPrivateAddresses.with { $0.timeLimit = limit })
        #expect(await fixture.fetch("http://127.0.0.1:\(port)/") == .failure(.timedOut(limit)))
        try await first.close()
        try await server.close()
    }

    @Test
    func systemKnowsItsOwnName() async throws {
        #expect(try await SystemResolver().addresses(of: "localhost").contains { !AddressGuard.isPublic($0.bytes) })
    }
}
