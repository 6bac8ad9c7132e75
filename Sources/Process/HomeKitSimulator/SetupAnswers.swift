internal import HAPServer
internal import HomeKit
internal import Hosting
internal import Synchronization

/// Supplies the setup codes of simulated accessories, which end with it.
///
/// The simulator and its manager share it, so that the accessories live as long as one of them.
final class SetupAnswers: Sendable {
    typealias Answer = @Sendable (HomeKitSetupQuestion) async -> HomeKitSetupAnswer?

    private let host: AccessoryHost
    private let custom = Mutex<Answer?>(nil)

    init(_ host: AccessoryHost) { self.host = host }

    deinit {
        Task { [host] in await host.stop() }
    }

    /// The function of the test, or else the default.
    var current: Answer {
        get { custom.withLock(\.self) ?? { [host] in await Self.defaultAnswer(to: $0, from: host) } }
        set { custom.withLock { $0 = newValue } }
    }

    /// Releases the function of the test.
    func reset() { custom.withLock { $0 = nil } }

    /// Answers with the accessory that the app has chosen, or else with the first one that is not paired.
    private static func defaultAnswer(
        to question: HomeKitSetupQuestion,
        from host: AccessoryHost
    ) async -> HomeKitSetupAnswer? {
        var first: HomeKitSetupAnswer?
        for server in host.servers {
            let information = await server.server.information
            guard !information.isPaired else { continue }
            let answer = HomeKitSetupAnswer(
                code: information.setupCode.text,
                accessory: information.deviceID.description
            )
            if information.name == question.accessory { return answer }
            first = first ?? answer
        }
        return first
    }
}
