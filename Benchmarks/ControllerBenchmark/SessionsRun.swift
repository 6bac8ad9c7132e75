import Foundation
import HAPController

/// Opens sessions with all accessories concurrently, and keeps some of them open.
struct SessionsRun {
    let state: String
    let sessions: Int

    private static let rounds = 5

    func run() async throws {
        let controller = try await Controller.open(state: state)
        let aliases = try await controller.pairings().map(\.alias)
        guard let first = aliases.first else { throw CocoaError(.fileNoSuchFile) }
        // The garages are copies of one garage, so the ids are the same in all of them.
        let id = try await controller.accessory(first).lightSwitch()
        await controller.close()

        var milliseconds: [Double] = []
        for _ in 0..<Self.rounds {
            let controller = try await Controller.open(state: state)
            let took = try await ContinuousClock()
                .measure { try await Self.readAll(aliases, of: controller, id) }
            milliseconds.append(took / .milliseconds(1))
            await controller.close()
        }

        let before = Self.anonymousBytes
        var controllers: [Controller] = []
        while controllers.count * aliases.count < sessions {
            let controller = try await Controller.open(state: state)
            try await Self.readAll(aliases, of: controller, id)
            controllers.append(controller)
        }
        let result: [String: Any] = [
            "accessories": aliases.count, "milliseconds": milliseconds.sorted(),
            "sessions": controllers.count * aliases.count, "before": before, "anonymous": Self.anonymousBytes,
        ]
        print(String(decoding: try JSONSerialization.data(withJSONObject: result), as: UTF8.self))
        for controller in controllers {
            await controller.close()
        }
    }

    private static func readAll(_ aliases: [String], of controller: Controller, _ id: CharacteristicID) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for alias in aliases {
                group.addTask {
                    let results = try await controller.accessory(alias).read([id])
                    guard results.allSatisfy(\.isSuccess) else { throw CocoaError(.fileReadUnknown) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The anonymous memory of this process, in bytes.
    private static var anonymousBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}
