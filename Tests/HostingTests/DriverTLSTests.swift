import Certificates
import HAPCore
import HostTestSupport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import HAPServer
@testable import Hosting

/// Listeners of drivers, with TLS and without it.
@Suite(.timeLimit(.minutes(5)))
struct DriverTLSTests {
    /// Certificates of two names with the same key.
    private struct Identity {
        let key: [UInt8]
        let first: [UInt8]
        let second: [UInt8]

        init() throws {
            let key = try RSAKey.generate()
            self.key = try key.der
            func make(_ name: String) throws -> [UInt8] {
                try Certificate.make(.server, subject: name, key: key, notBefore: 0, notAfter: 1 << 32).der
            }
            (first, second) = (try make("First"), try make("Second"))
        }
    }

    private static let identity = Result { try Identity() }

    private static func tls() throws -> TLSIdentity {
        let identity = try Self.identity.get()
        return try TLSIdentity(certificates: [identity.first], key: identity.key)
    }

    /// A listener whose sockets are closed at the end of a test.
    private final class Server: Sendable {
        let run = DriverRun(.idle)
        let listener: DriverListener

        init(_ tls: TLSIdentity?, _ limits: ListenerLimits = ListenerLimits()) async throws {
            listener = try await DriverListener.listen(on: DriverEndpoint(port: 0), tls: tls, limits: limits, for: run)
        }

        deinit { run.close() }

        /// Returns the next connection.
        func next() async throws -> DriverConnection {
            var connections = listener.connections.makeAsyncIterator()
            return try #require(await connections.next())
        }
    }

    // MARK: Handshake

    @Test(arguments: [nil, TLSVersion.tlsv12, .tlsv13])
    func aConnectionIsDeliveredBeforeItsFirstBytes(version: TLSVersion?) async throws {
        let server = try await Server(version == nil ? nil : Self.tls())
        let peer = try await SocketPeer(port: server.listener.endpoint.port, version)
        let connection = try await server.next()
        #expect(connection.peerHost == "127.0.0.1")
        try await connection.send(Array("pong".utf8))
        try await eventually("it is received") { peer.received == Array("pong".utf8) }
        try await peer.send(Array("ping".utf8))
        #expect(await connection.receive() == Array("ping".utf8))
        connection.close()
        try await eventually("it is closed") { peer.isClosed }
        #expect(await connection.receive() == nil)
        await #expect(throws: (any Error).self) { try await connection.send([1]) }
    }

    @Test
    func theCertificateCanBeReplacedWhileTheDriverListens() async throws {
        let (tls, identity) = (try Self.tls(), try Self.identity.get())
        var limits = ListenerLimits()
        // The peers are silent.
        limits.silence = .seconds(3_600)
        let server = try await Server(tls, limits)
        let peer = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13)
        let connection = try await server.next()
        #expect(try await peer.certificate() == identity.first)
        try tls.replace(certificates: [identity.second], key: identity.key)
        let other = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13)
        let otherConnection = try await server.next()
        #expect(try await other.certificate() == identity.second)
        // What is not valid replaces nothing.
        let foreign = try RSAKey.generate().der
        #expect(throws: (any Error).self) { try tls.replace(certificates: [identity.first], key: foreign) }
        for certificates in [[], [[]], [Array("garbage".utf8)]] as [[[UInt8]]] {
            #expect(throws: (any Error).self) { try tls.replace(certificates: certificates, key: identity.key) }
        }
        #expect(throws: (any Error).self) { try tls.replace(certificates: [identity.first], key: []) }
        let last = try await SocketPeer(port: server.listener.endpoint.port, .tlsv12)
        _ = try await server.next()
        #expect(try await last.certificate() == identity.second)
        // The connections that are open stay.
        try await connection.send([1])
        try await otherConnection.send([2])
        try await eventually("both are received") { (peer.received, other.received) == ([1], [2]) }
    }

    @Test
    func garbageInsteadOfTLSEndsTheConnection() async throws {
        let server = try await Server(Self.tls())
        let zeros = [UInt8](repeating: 0, count: 100_000)
        for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), zeros, [0x16, 3, 1, 0xFF, 0xFF]] {
            let peer = try await SocketPeer(port: server.listener.endpoint.port, nil)
            // It may be closed before everything is sent.
            try? await peer.send(bytes)
            try await eventually("it is closed") { peer.isClosed }
        }
        let old = try await SocketPeer(port: server.listener.endpoint.port, .tlsv11)
        try await eventually("TLS 1.1 is refused") { old.isClosed }
        // The driver has seen none of them.
        let peer = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13)
        let connection = try await server.next()
        try await peer.send([7])
        #expect(await connection.receive() == [7])
    }

    // MARK: Limits

    @Test(arguments: [nil, TLSVersion.tlsv13])
    func aConnectionThatSendsNothingInTimeIsClosed(version: TLSVersion?) async throws {
        var limits = ListenerLimits()
        limits.silence = .milliseconds(50)
        let server = try await Server(version == nil ? nil : Self.tls(), limits)
        // Without bytes at all, with a handshake only, and with a part of one.
        var silent = [try await SocketPeer(port: server.listener.endpoint.port, nil)]
        if let version {
            silent.append(try await SocketPeer(port: server.listener.endpoint.port, version))
            silent.append(try await SocketPeer(port: server.listener.endpoint.port, nil))
            // It may be closed already.
            try? await silent[2].send([0x16, 3, 1])
        }
        try await eventually("they are closed") { silent.allSatisfy(\.isClosed) }
    }

    @Test(arguments: [nil, TLSVersion.tlsv13])
    func aConnectionThatHasSentSomethingStays(version: TLSVersion?) async throws {
        // On a busy machine, the first bytes may be late; then the time is too short for this test.
        for silence in [Duration.milliseconds(100), .seconds(2), .seconds(20)] {
            var limits = ListenerLimits()
            limits.silence = silence
            let server = try await Server(version == nil ? nil : Self.tls(), limits)
            let speaker = try await SocketPeer(port: server.listener.endpoint.port, version)
            guard (try? await speaker.send([1])) != nil, let connection = try? await server.next(),
                await connection.receive() == [1]
            else { continue }
            // Its time begins later.
            let silent = try await SocketPeer(port: server.listener.endpoint.port, nil)
            try await eventually("the silent one is closed") { silent.isClosed }
            try await speaker.send([2])
            #expect(await connection.receive() == [2])
            return
        }
        Issue.record("no peer has sent its first bytes in time")
    }

    @Test
    func aHostHasALimitedNumberOfSilentConnections() async throws {
        var limits = ListenerLimits()
        limits.silentConnectionsOfHost = 2
        let server = try await Server(Self.tls(), limits)
        let peers = [
            try await SocketPeer(port: server.listener.endpoint.port, .tlsv13),
            try await SocketPeer(port: server.listener.endpoint.port, nil),
        ]
        let connection = try await server.next()
        let third = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13)
        try await eventually("the third one is closed") { third.isClosed }
        let other = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13, from: "127.0.0.2")
        #expect(try await server.next().peerHost == "127.0.0.2")
        // One that has sent something makes room for another one.
        try await peers[0].send([1])
        #expect(await connection.receive() == [1])
        let fourth = try await SocketPeer(port: server.listener.endpoint.port, .tlsv13)
        #expect(try await server.next().peerHost == "127.0.0.1")
        #expect([peers[0], peers[1], other, fourth].allSatisfy { !$0.isClosed })
    }

    @Test
    func placesAreCountedInAllAndForEachHost() throws {
        var limits = ListenerLimits()
        (limits.connections, limits.silentConnections, limits.silentConnectionsOfHost) = (4, 3, 2)
        let hosts = try ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
            .map {
                PeerHost(try SocketAddress(ipAddress: $0, port: 1))
            }
        var places = ConnectionPlaces(limits)
        /// Returns which of the hosts get a place, one after the other.
        func add(_ numbers: Int...) -> [Bool] { numbers.map { places.add(hosts[$0]) } }
        #expect(add(0, 0, 0) == [true, true, false])
        #expect(add(1, 2) == [true, false])
        places.didReceive(from: hosts[0])
        #expect(add(2) == [true])
        places.didReceive(from: hosts[2])
        #expect(add(2) == [false])
        places.remove(hosts[0], hasReceived: true)
        #expect(add(0, 0) == [true, false])
        for host in [hosts[0], hosts[0], hosts[1]] { places.remove(host, hasReceived: false) }
        places.remove(hosts[2], hasReceived: true)
        #expect(add(0, 0, 0) == [true, true, false])
    }

    @Test
    func aHostHasHalfOfThePlacesUnlessItIsThisOne() throws {
        var limits = ListenerLimits()
        (limits.connections, limits.silentConnections, limits.silentConnectionsOfHost) = (6, 6, 6)
        for (address, count) in [("192.0.2.1", 3), ("2001:db8::1", 3), ("127.0.0.9", 6), ("::1", 6)] {
            var places = ConnectionPlaces(limits)
            let host = PeerHost(try SocketAddress(ipAddress: address, port: 1))
            // Those that have sent something count, too.
            #expect((0..<7).count { _ in places.add(host) } == count, "\(address)")
            places.didReceive(from: host)
            places.remove(host, hasReceived: true)
            #expect((0..<2).count { _ in places.add(host) } == 1, "\(address)")
        }
    }

    @Test(arguments: [nil, TLSVersion.tlsv13])
    func aPeerThatDoesNotReadIsDisconnectedWhenTooMuchWaits(version: TLSVersion?) async throws {
        let server = try await Server(version == nil ? nil : Self.tls())
        let peer = try await SocketPeer(port: server.listener.endpoint.port, version)
        let connection = try await server.next()
        try await peer.stopReading()
        let part = [UInt8](repeating: 1, count: 32 << 10)
        let refusals = Counter()
        await withDiscardingTaskGroup { group in
            for _ in 0..<2_000 {
                group.addTask {
                    do {
                        try await connection.send(part)
                    } catch DriverConnectionError.peerDoesNotRead {
                        refusals.next()
                    } catch {}
                }
            }
        }
        #expect(refusals.count > 0)
        await #expect(throws: (any Error).self) { try await connection.send(part) }
        #expect(await connection.receive() == nil)
    }

    @Test(arguments: [nil, TLSVersion.tlsv13])
    func aPeerThatDoesNotReadInTimeIsDisconnected(version: TLSVersion?) async throws {
        var limits = ListenerLimits()
        limits.sendTime = .milliseconds(100)
        let server = try await Server(version == nil ? nil : Self.tls(), limits)
        let peer = try await SocketPeer(port: server.listener.endpoint.port, version)
        let connection = try await server.next()
        try await peer.stopReading()
        // More than the buffers of the system.
        let message = [UInt8](repeating: 1, count: 32 << 20)
        await #expect(throws: DriverConnectionError.peerDoesNotRead) { try await connection.send(message) }
        #expect(await connection.receive() == nil)
    }

    // MARK: Bytes

    @Test(arguments: [nil, TLSVersion.tlsv12, .tlsv13])
    func longMessagesArriveInBothDirections(version: TLSVersion?) async throws {
        let server = try await Server(version == nil ? nil : Self.tls())
        let peer = try await SocketPeer(port: server.listener.endpoint.port, version)
        let connection = try await server.next()
        let message = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        async let sending: Void = peer.send(message)
        var received: [UInt8] = []
        while received.count < message.count, let bytes = await connection.receive() {
            // Only a part of what the peer sends is ever in memory.
            #expect(bytes.count <= 256 << 10)
            received += bytes
        }
        try await sending
        #expect(received == message)
        try await connection.send(message)
        try await eventually("it is received") { peer.received.count == message.count }
        #expect(peer.received == message)
    }

    @Test(arguments: [nil, TLSVersion.tlsv12, .tlsv13])
    func whatAPeerHasSentBeforeItsEndIsReceived(version: TLSVersion?) async throws {
        let server = try await Server(version == nil ? nil : Self.tls())
        let peer = try await SocketPeer(port: server.listener.endpoint.port, version)
        let connection = try await server.next()
        try await peer.send([1, 2, 3])
        peer.close()
        try await eventually("it is closed") { peer.isClosed }
        #expect(await connection.receive() == [1, 2, 3])
        #expect(await connection.receive() == nil)
        #expect(await connection.receive() == nil)
    }
}
