import Discovery
import Foundation
import HAPController
import HAPCore
import Testing

@testable import hap

/// What an accessory shows from outside, and what it means.
@Suite struct RemoteFindingTests {
    @Test(
        arguments: [
            ("192.0.2.1:51826", "192.0.2.1", 51_826), ("[fd00::1]:1", "fd00::1", 1),
            ("g.local:65535", "g.local", 65_535),
        ] as [(String, String, UInt16)]
    )
    func aTargetIsReadAndWritten(text: String, host: String, port: UInt16) throws {
        let target = try #require(AccessoryPlace(argument: text))
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.description == text)
    }

    @Test(arguments: ["", ":", "a", "a:", ":1", "a:0", "a:65536", "a:-1", "fd00::1:1", "a b:1", "[]:1", "a:1:2", "a:x"])
    func whatIsNoTargetIsRefused(text: String) {
        #expect(AccessoryPlace(argument: text) == nil)
    }

    private static func look(
        addresses: [String]? = ["192.0.2.1"],
        failure: ConnectFailure? = nil,
        accessories: HTTPAnswer? = nil,
        identity: RemoteReport.Identity? = nil,
        services: Result<[FoundService], DiscoveryError> = .failure(.noDaemon)
    ) throws -> RemoteReport {
        RemoteReport(
            target: try #require(AccessoryPlace(argument: "192.0.2.1:51826")),
            addresses: addresses,
            failure: failure,
            accessories: accessories,
            identity: identity,
            services: services
        )
    }

    @Test(
        arguments: [
            (nil, nil), ([], nil), (["192.0.2.1"], .system(ECONNREFUSED)), (["192.0.2.1"], .timedOut),
            (["192.0.2.1"], .system(EHOSTUNREACH)), (["192.0.2.1"], .system(-1)),
        ] as [([String]?, ConnectFailure?)]
    )
    func whatCannotBeReachedIsToldWithAWayOut(addresses: [String]?, failure: ConnectFailure?) throws {
        let findings = try Self.look(addresses: addresses, failure: failure).findings
        #expect(findings.first?.state == .unreachable)
        #expect(findings.first?.remedy != nil)
        #expect(DoctorReport(target: "a", findings: findings).status == 69)
    }

    @Test(
        arguments: [
            (.message(HTTPMessage(.response, status: 470)), .ok), (.message(HTTPMessage(.response, status: 401)), .ok),
            (.message(HTTPMessage(.response, status: 200)), .problem),
            (.message(HTTPMessage(.response, status: 404)), .problem),
            (.message(HTTPMessage(.event, status: 999)), .problem), (.malformed("x"), .problem), (.closed, .problem),
            (.silent, .unreachable),
        ] as [(HTTPAnswer, Finding.State)]
    )
    func anAnswerIsToldByItsStatus(answer: HTTPAnswer, state: Finding.State) throws {
        #expect(try Self.look(accessories: answer).findings[1].state == state)
    }

    @Test(
        arguments: [
            (.told("C8:D8:58:C6:63:F5"), .ok), (.refused(.authentication), .ok), (.refused(.busy), .note),
            (.failed("x"), .problem),
        ] as [(RemoteReport.Identity, Finding.State)]
    )
    func anIdentityIsToldOrMissed(identity: RemoteReport.Identity, state: Finding.State) throws {
        #expect(try Self.look(identity: identity).findings[1].state == state)
    }

    @Test func theAnnouncementIsFoundByIdentityThenByPlace() throws {
        func service(_ id: String, _ address: String, _ port: UInt16) -> FoundService {
            var text = TXTRecord()
            text.append("id", id)
            return FoundService(name: id, host: "\(id).local", address: address, port: port, text: text)
        }
        let services = [
            service("a", "192.0.2.1", 1), service("b", "192.0.2.9", 51_826), service("c", "192.0.2.1", 51_826),
        ]
        #expect(try Self.look(services: .success(services)).service?.name == "c")
        #expect(try Self.look(identity: .told("A"), services: .success(services)).service?.name == "a")
        #expect(try Self.look(identity: .told("x"), services: .success([])).service == nil)
        let moved = try Self.look(identity: .told("a"), services: .success(services)).findings
        #expect(moved.contains { $0.subject == "Discovery" && $0.state == .problem })
        let lost = try Self.look(services: .success([])).findings
        #expect(lost.contains { $0.subject == "Discovery" && $0.state == .problem && $0.remedy != nil })
        #expect(try Self.look().findings.last?.state == .note)
    }
}
