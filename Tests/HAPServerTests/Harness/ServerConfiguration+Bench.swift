import HAPCore
import HAPServer

extension ServerConfiguration {
    /// A server on a free port of the loopback.
    static let bench = ServerConfiguration(name: Bench.key, category: .other, bindAddress: "127.0.0.1")

    /// The same with one thing changed.
    func with<Value>(_ setting: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var changed = self
        changed[keyPath: setting] = value
        return changed
    }
}
