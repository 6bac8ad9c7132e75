import Discovery
import Foundation
import HAPController
import HAPCore
import Testing

@testable import hap

/// The checks of an accessory without a pairing, and their results.
@Suite struct RemoteReportTests {
    @Test(
        arguments: [
            ("192.0.2.1:51826", "192.0.2.1", 51_826), ("[fd00::1]:1", "fd00::1", 1),
            ("g.local:65535", "g.local", 65_535),
        ] as [(String, String, UInt16)]
    )
    func targetIsParsedAndPrinted(text: String, host: String, port: UInt16) throws {
        let target = try #require(AccessoryEndpoint(argument: text))
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.description == text)
    }

    @Test(arguments: ["", ":", "a", "a:", ":1", "a:0", "a:65536", "a:-1", "fd00::1:1", "a b:1", "[]:1", "a:1:2", "a:x"])
    func invalidTargetIsRefused(text: String) {
        #expect(AccessoryEndpoint(argument: text) == nil)
    }

    private static func report(
        addresses: [String]? = ["192.0.2.1"],
        failure: ConnectFailure? = nil,
        accessories: Result<HTTPMessage, ControllerError>? = nil,
        identity: RemoteReport.Identity? = nil,
        services: Result<[ResolvedService], DiscoveryError> = .failure(.noDaemon)
    ) throws -> RemoteReport {
        RemoteReport(
            target: try #require(AccessoryEndpoint(argument: "192.0.2.1:51826")),
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
    func unreachableTargetIsReportedWithARemedy(addresses: [String]?, failure: ConnectFailure?) throws {
        let diagnostics = try Self.report(addresses: addresses, failure: failure).results
        #expect(diagnostics.first?.state == .unreachable)
        #expect(diagnostics.first?.remedy != nil)
        #expect(DoctorReport(target: "a", results: diagnostics).status == 69)
    }

    @Test(
        arguments: [
            (HTTPMessage(.response, status: 470), .ok), (HTTPMessage(.response, status: 401), .ok),
            (HTTPMessage(.response, status: 200), .problem), (HTTPMessage(.response, status: 404), .problem),
            (HTTPMessage(.event, status: 999), .problem),
        ] as [(HTTPMessage, CheckResult.State)]
    )
    func responseIsReportedByItsStatus(response: HTTPMessage, state: CheckResult.State) throws {
        #expect(try Self.report(accessories: .success(response)).results[1].state == state)
    }

    @Test(
        arguments: [
            (.malformed(ProtocolError(.http, "x", at: "HTTP response")), .problem), (.connectionLost, .problem),
            (.timedOut, .unreachable),
        ] as [(ControllerError.Code, CheckResult.State)]
    )
    func missingResponseIsReportedByItsReason(code: ControllerError.Code, state: CheckResult.State) throws {
        let error = ControllerError(code, reason: "", remedy: "")
        #expect(try Self.report(accessories: .failure(error)).results[1].state == state)
    }

    @Test(
        arguments: [
            (.reported("C8:D8:58:C6:63:F5"), .ok), (.refused(.authentication), .ok), (.refused(.busy), .note),
            (.failed("x"), .problem),
        ] as [(RemoteReport.Identity, CheckResult.State)]
    )
    func identityIsReportedOrMissing(identity: RemoteReport.Identity, state: CheckResult.State) throws {
        #expect(try Self.report(identity: identity).results[1].state == state)
    }

    @Test func announcementIsMatchedByIdentityThenByEndpoint() throws {
        func service(_ id: String, _ address: String, _ port: UInt16) -> ResolvedService {
            var text = TXTRecord()
            text.append("id", id)
            return ResolvedService(name: id, host: "\(id).local", address: address, port: port, text: text)
        }
        let services = [
            service("a", "192.0.2.1", 1), service("b", "192.0.2.9", 51_826), service("c", "192.0.2.1", 51_826),
        ]
        #expect(try Self.report(services: .success(services)).service?.name == "c")
        #expect(try Self.report(identity: .reported("A"), services: .success(services)).service?.name == "a")
        #expect(try Self.report(identity: .reported("x"), services: .success([])).service == nil)
        let moved = try Self.report(identity: .reported("a"), services: .success(services)).results
        #expect(moved.contains { $0.subject == "Discovery" && $0.state == .problem })
        let lost = try Self.report(services: .success([])).results
        #expect(lost.contains { $0.subject == "Discovery" && $0.state == .problem && $0.remedy != nil })
        #expect(try Self.report().results.last?.state == .note)
    }
}
