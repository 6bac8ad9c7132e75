import Foundation
import HAPController

/// Pairs with all servers of one `hap serve`, one after the other.
struct PairingRun {
    let state: String
    let ready: String

    private struct Ready: Decodable {
        struct Server: Decodable {
            let port: UInt16
            let setupCode: String
        }

        let servers: [Server]
    }

    func run() async throws {
        let ready = try JSONDecoder().decode(Ready.self, from: Data(contentsOf: URL(filePath: ready)))
        let controller = try await Controller.open(state: state)
        for (number, server) in ready.servers.enumerated() {
            guard let code = SetupCode(server.setupCode) else { throw CocoaError(.coderInvalidValue) }
            let target = AccessoryTarget.address(host: "127.0.0.1", port: server.port)
            _ = try await controller.pair(target, with: .code(code), as: "\(number + 1)")
        }
        await controller.close()
    }
}
