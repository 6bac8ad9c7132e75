import Glibc
import HAPCore
import NIOCore
import TestSupport
import Testing

@testable import HAPServer

/// The port of a server when another program listens on the wanted one.
@Suite struct AlternativePortTests {
    private func configuration(_ port: UInt16, alternatives: UInt16) -> ServerConfiguration {
        var configuration = ServerConfiguration.testing
        configuration.port = port
        configuration.alternativePortCount = alternatives
        return configuration
    }

    @Test func nextFreePortIsUsed() async throws {
        try await TestServer.run { first in
            let taken = await first.server.information.port
            try await TestServer.run(configuration: configuration(taken, alternatives: 100)) { second in
                let port = await second.server.information.port
                #expect(port > taken)
                _ = try await second.session()
            }
        }
    }

    @Test func takenPortIsAnErrorWithoutAlternatives() async throws {
        try await TestServer.run { first in
            let taken = await first.server.information.port
            let error = await #expect(throws: ServerError.self) {
                try await TestServer.run(configuration: configuration(taken, alternatives: 0)) { _ in }
            }
            #expect(
                error?.code == .address && error?.reason.hasSuffix("port \(taken).") == true,
                "\(error?.reason ?? "")"
            )
        }
    }

    @Test func errorNamesAllPortsThatWereTried() {
        let error = ServerError(binding: nil, ports: 100...102, IOError(errnoCode: EADDRINUSE, reason: "bind"))
        #expect(error.reason == "Other programs listen on all ports from 100 to 102.")
    }
}
