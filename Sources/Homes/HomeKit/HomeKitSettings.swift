internal import Storage
internal import Synchronization

/// Settings that replace what iOS knows or asks the user.
///
/// Set them before creating the first ``HMHomeManager``. In code that also compiles on iOS, use `#if os(Linux)`.
public enum HomeKitSettings {
    /// The folder of the homes and pairings, shared with `hap`.
    ///
    /// The default is `$XDG_STATE_HOME/hap`, else `~/.local/state/hap`. A change does not affect
    /// existing managers.
    public static var stateFolder: String {
        get { values.withLock(\.stateFolder) ?? defaultStateFolder }
        set { values.withLock { $0.stateFolder = newValue } }
    }

    /// Whether this process runs the triggers of its homes; otherwise, `hap home run` does.
    ///
    /// On Apple's platforms, a home hub runs them. While `hap home run` runs a home, this
    /// process waits and does not run its triggers.
    public static var runsTriggers: Bool {
        get { values.withLock(\.runsTriggers) }
        set { values.withLock { $0.runsTriggers = newValue } }
    }

    /// Supplies the setup code and the accessory when an accessory is added; iOS asks the user.
    ///
    /// Without it, only a setup payload can add an accessory, and other calls fail with `operationNotSupported`. Return `nil` to cancel
    /// the setup.
    public static var setupAnswer: (@Sendable (HomeKitSetupQuestion) async -> HomeKitSetupAnswer?)? {
        get { values.withLock(\.setupAnswer) }
        set {
            // The former closure is released outside of the lock: it may refer to what sets this property at its end.
            let former = values.withLock { values in
                defer { values.setupAnswer = newValue }
                return values.setupAnswer
            }
            withExtendedLifetime(former) {}
        }
    }

    struct Values: Sendable {
        var stateFolder: String?
        var runsTriggers = false
        var setupAnswer: (@Sendable (HomeKitSetupQuestion) async -> HomeKitSetupAnswer?)?
    }

    private static let values = Mutex(Values())

    /// The settings of the process.
    static var current: Values { values.withLock(\.self) }

    private static var defaultStateFolder: String {
        let folder = DefaultStateFolder.path(in: ProcessInfo.processInfo.environment)
        return folder ?? NSHomeDirectory() + "/.local/state/hap"
    }
}

/// A request for the setup code of an accessory that is being added to a home.
public struct HomeKitSetupQuestion: Sendable {
    /// The name of the home.
    public let home: String
    /// The name of the accessory that the app has chosen, or `nil` if the answer names one.
    public let accessory: String?
    /// The names of the accessories on the network that can be paired; empty if the network cannot be searched.
    public let discovered: [String]

    /// Creates a request, for a test of an answer.
    public init(home: String, accessory: String? = nil, discovered: [String] = []) {
        (self.home, self.accessory, self.discovered) = (home, accessory, discovered)
    }
}

/// The answer to ``HomeKitSetupQuestion``.
public struct HomeKitSetupAnswer: Sendable {
    /// The setup code, such as `031-45-154`.
    public var code: String
    /// The accessory: its name on the network, its device ID, or `HOST:PORT`.
    ///
    /// `nil` for the accessory that the app has chosen, or for the only one that can be paired.
    public var accessory: String?

    /// Creates an answer.
    public init(code: String, accessory: String? = nil) {
        self.code = code
        self.accessory = accessory
    }
}

extension HomeKitSetupAnswer: CustomStringConvertible, CustomReflectable {
    /// A text without the setup code.
    public var description: String { "setup code (hidden) for \(accessory ?? "the chosen accessory")" }
    /// A mirror without the setup code, so that `dump` does not show it either.
    public var customMirror: Mirror { Mirror(self, children: ["accessory": accessory as Any]) }
}
