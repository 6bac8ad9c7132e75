import HAPCore
import HAPServer

extension ServerConfiguration {
    /// The configuration of a test server on a free port of the loopback interface.
    ///
    /// The server inspects its connections only when a test requests it. Handlers have long timeouts, because a busy
    /// machine may be slow.
    static let testing: ServerConfiguration = {
        var configuration = ServerConfiguration(name: TestAccessory.key, category: .other, bindAddress: "127.0.0.1")
        configuration.connectionLimits.inspectionInterval = .seconds(3_600)
        configuration.connectionLimits.pairSetupShortTurnTime = .seconds(3_600)
        configuration.connectionLimits.pairSetupTurnTime = .seconds(3_600)
        configuration.handlerLimits.warningDelay = .seconds(60)
        configuration.handlerLimits.timeout = .seconds(120)
        return configuration
    }()

    /// Returns the configuration with one setting changed.
    func with<Value>(_ setting: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var changed = self
        changed[keyPath: setting] = value
        return changed
    }
}
