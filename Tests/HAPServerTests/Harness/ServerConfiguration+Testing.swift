import HAPCore
import HAPServer

extension ServerConfiguration {
    /// A server on a free port of the loopback interface for tests.
    ///
    /// It inspects its connections only when a test asks for it, and its handlers have long timeouts, for busy
    /// machines.
    static let testing: ServerConfiguration = {
        var configuration = ServerConfiguration(name: TestAccessory.key, category: .other, bindAddress: "127.0.0.1")
        configuration.connectionLimits.inspectionInterval = .seconds(3_600)
        configuration.connectionLimits.pairSetupShortTurnTime = .seconds(3_600)
        configuration.connectionLimits.pairSetupTurnTime = .seconds(3_600)
        configuration.handlerLimits.warningDelay = .seconds(60)
        configuration.handlerLimits.timeout = .seconds(120)
        return configuration
    }()

    /// The same with one thing changed.
    func with<Value>(_ setting: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var changed = self
        changed[keyPath: setting] = value
        return changed
    }
}
