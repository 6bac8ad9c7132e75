internal import AccessoryModel
internal import Discovery
internal import HAPController
internal import HAPCore
internal import HAPServer
public import HomeKit
internal import HomeRuntime
internal import Hosting
internal import Simulation
internal import Storage
internal import Synchronization

/// Simulated accessories in this process, and a home manager that uses them.
///
/// The manager's controller speaks HAP with the accessories, so pairing, sessions and events are those of real
/// accessories. The connections stay in the process, and nothing is saved, so tests can run side by side.
///
/// ```swift
/// let simulator = try await HomeSimulator(.gallery("garage"))
/// let app = GarageApp(simulator.manager)
/// try await simulator.perform("set Target Door State to Open")
/// try await simulator.advance(by: .seconds(12))
/// ```
///
/// The clock of the accessories moves only with ``advance(by:)``, unless an action such as "resume" starts it. When
/// ``perform(_:)`` or ``advance(by:)`` returns, the delegates have been called for all consequences.
public final class HomeSimulator: Sendable {
    /// The manager to pass to the app: a home with all accessories, or no homes.
    public let manager: HMHomeManager

    private let environment: HomeKitEnvironment
    private let host: AccessoryHost
    private let answers: SetupAnswers
    private let isClosed = Atomic(false)

    /// Starts accessories.
    ///
    /// - Parameters:
    ///   - sources: The accessories; without any, the Kilgo garage.
    ///   - isPaired: Whether the accessories are in a home, which is named "Home" unless a home file describes another
    ///     one. Otherwise, the manager has no homes, and can find and add the accessories.
    /// - Throws: ``HomeSimulatorError`` with all errors of the definitions; `CancellationError` if the task is
    ///   canceled.
    public convenience init(_ sources: AccessorySource..., isPaired: Bool = true) async throws {
        try await self.init(sources, isPaired: isPaired)
    }

    /// Starts the accessories of several sources, or the Kilgo garage if there are none.
    ///
    /// - Throws: ``HomeSimulatorError`` with all errors of the definitions.
    public init(_ sources: [AccessorySource], isPaired: Bool = true) async throws {
        let name = UUID().uuidString
        let discovery = InMemoryDiscovery()
        let environment = Self.environment(name, discovery)
        self.environment = environment
        let contents = try SimulatedContents(sources)
        let state = try StateStore.openInMemory(named: name)
        let host = AccessoryHost(Self.settings(discovery)) { state.server(key: $0) }
        self.host = host
        answers = SetupAnswers(host)
        manager = HMHomeManager(in: environment) { [answers] in await answers.current($0) }
        do throws(HostError) { try await host.start(contents.served) } catch { throw HomeSimulatorError(error.message) }
        do {
            // A canceled start leaves out servers.
            try Task.checkCancellation()
            try await manager.waitUntilLoaded()
            if isPaired { try await addAll(contents) }
            try await settle()
        } catch {
            await host.stop()
            throw error
        }
    }

    /// Ends the accessories, which the app then cannot reach.
    ///
    /// Otherwise, they end some time after the last reference to the simulator and to its manager is gone. A second
    /// call does nothing.
    public func close() async {
        isClosed.store(true, ordering: .relaxed)
        answers.reset()
        await host.stop()
    }

    private func checkOpen() throws {
        guard !isClosed.load(ordering: .relaxed) else {
            throw HomeSimulatorError("The simulator is closed. Use it before close(), or create another one.")
        }
    }

    // MARK: Accessories

    /// The accessories and bridges that are paired separately, in the order of the sources.
    public var accessories: [SimulatedAccessory] {
        get async {
            var accessories: [SimulatedAccessory] = []
            for server in host.servers {
                if let accessory = SimulatedAccessory(await server.server.information) { accessories.append(accessory) }
            }
            return accessories
        }
    }

    /// Creates a manager of another app, which uses the same homes and accessories.
    ///
    /// The app that is tested is notified of its changes when ``settle()`` returns.
    public func makeManagerOfAnotherApp() async throws -> HMHomeManager {
        let other = HMHomeManager(in: environment) { [answers] in await answers.current($0) }
        try await other.waitUntilLoaded()
        return other
    }

    /// Creates a setup manager that adds accessories to the homes.
    public func makeAccessorySetupManager() -> HMAccessorySetupManager { HMAccessorySetupManager(of: manager) }

    /// Creates a browser that finds the accessories that are not paired.
    public func makeAccessoryBrowser() -> HMAccessoryBrowser { HMAccessoryBrowser(of: manager) }

    /// Supplies the setup code when the app adds an accessory, like `HomeKitSettings.setupAnswer`.
    ///
    /// By default, the answer is the setup code of the accessory that the app has chosen, or of the first one that is
    /// not paired. A function that captures the simulator retains it until ``close()``.
    public var setupAnswer: @Sendable (HomeKitSetupQuestion) async -> HomeKitSetupAnswer? {
        get { answers.current }
        set { answers.current = newValue }
    }

    // MARK: Time and actions

    /// Lets simulated time pass at once, for all accessories together.
    ///
    /// - Throws: `CancellationError` if the task is canceled; ``HomeSimulatorError`` if the simulator is closed.
    public func advance(by duration: Duration) async throws {
        try await settle()
        do throws(SimulationError) { try await host.advance(by: duration) } catch { throw CancellationError() }
        try await settle()
    }

    /// Performs an action of a person, another controller, or the network.
    ///
    /// ```swift
    /// try await simulator.perform("set Light Bulb/On to on")
    /// try await simulator.perform("obstruct Garage Door")
    /// try await simulator.perform("fault networkLoss")
    /// try await simulator.perform("clear networkLoss")
    /// ```
    ///
    /// The actions are those of `hap simulate`; "help" lists them, and "help faults" the faults. A fault that delays
    /// messages takes real time, because the controller does not use the accessories' clock.
    ///
    /// - Returns: A description of what was done, or the values after "show".
    /// - Throws: ``HomeSimulatorError`` with the forms or names that are allowed.
    @discardableResult
    public func perform(_ action: String) async throws -> String {
        try await settle()
        let answer: CommandAnswer
        do throws(SimulationError) {
            answer = try await host.perform(command: action)
        } catch {
            throw HomeSimulatorError(error.description)
        }
        try await settle()
        switch answer {
        case .done(let text), .shown(let text): return text
        case .nothing: throw HomeSimulatorError("The action is empty. Write one such as \"obstruct Garage Door\".")
        case .quit: throw HomeSimulatorError("A simulator does not end with \"quit\". Call close().")
        }
    }

    /// Waits until the accessories have received the app's requests, and the app has received the consequences.
    ///
    /// Call it when the app has created its delegates, or after a request whose result the test does not await. Setups
    /// are not waited for.
    ///
    /// - Throws: ``HomeSimulatorError`` if this takes longer than ten seconds. While a fault acts, the app may not
    ///   receive everything, so the function returns after a second without an error.
    public func settle() async throws {
        try checkOpen()
        let hasFaults = host.servers.contains { !$0.faults.active.isEmpty }
        let limit = Duration.seconds(hasFaults ? 1 : 10)
        let unsettled = try await manager.settle(within: limit) { [host] in await Self.presence(of: host) }
        guard let unsettled, !hasFaults, !isClosed.load(ordering: .relaxed) else { return }
        let names = host.servers.filter { unsettled.contains($0.information.deviceID) }.map(\.name)
        throw HomeSimulatorError(
            names.isEmpty
                ? "A request of the app was not answered within ten seconds. Await it in the test."
                : "The app did not receive the state of \(names.joined(separator: ", ")) within ten seconds. Check "
                    + "that the machine is not overloaded."
        )
    }

    private static func presence(of host: AccessoryHost) async -> ServerPresence {
        var presence = ServerPresence()
        for server in host.servers {
            let id = server.information.deviceID
            switch server.faults.injector.conditions.reachability {
            case .reachable:
                // A controller that the accessory has forgotten cannot connect.
                guard await server.server.information.isPaired else { continue }
                if await server.server.hasSession {
                    presence.reachable.insert(id)
                    if await !server.server.hasUnreadOutput { presence.settled.insert(id) }
                    continue
                }
                switch server.faults.connectionEffect {
                case nil: presence.reachable.insert(id)
                case .refused?: presence.lost.insert(id)
                case .silent?: break
                }
            case .refusing, .rebooting: presence.lost.insert(id)
            // The controller notices that at its next request, after a timeout.
            case .unresponsive: break
            }
        }
        return presence
    }

    // MARK: Start

    private static func settings(_ discovery: InMemoryDiscovery) -> HostSettings {
        var settings = HostSettings()
        settings.inMemoryDiscovery = discovery
        settings.behaviorClock.pause(at: .zero)
        return settings
    }

    private static func environment(_ name: String, _ discovery: InMemoryDiscovery) -> HomeKitEnvironment {
        var configuration = ControllerConfiguration()
        // A lost accessory is found again at once, because trying costs nothing here.
        configuration.firstReconnectDelay = .milliseconds(5)
        configuration.longestReconnectDelay = .seconds(1)
        let settings = configuration
        return HomeKitEnvironment { () async throws(StoreError) in
            try HomeStateStore.openInMemory(named: name)
        } openController: { () async throws(ControllerError) in
            let store = try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
                try ControllerStateStore.openInMemory(named: name)
            }
            return try await Controller.open(
                store: store,
                configuration: settings,
                resolver: DiscoveryEndpointResolver(patience: .zero) { discovery.updates() },
                transport: InProcessTransport(),
                discoveryUpdates: { discovery.updates() }
            )
        }
    }

    /// Pairs with all accessories, and adds them to a home.
    private func addAll(_ contents: SimulatedContents) async throws {
        if contents.home == nil { _ = try await manager.addHome(named: "Home") }
        for accessory in await accessories {
            try await manager.pair(accessory.setupPayload.absoluteString, addsToHome: contents.home == nil)
        }
        if let home = contents.home {
            try await manager.merge(home.document) { merge in home.error(of: merge) }
        }
    }
}
