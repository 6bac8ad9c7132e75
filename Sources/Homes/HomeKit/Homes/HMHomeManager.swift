internal import HAPController
internal import HAPCore
internal import HomeModel
internal import HomeRuntime
internal import Synchronization

/// The entry point to the homes of the user.
///
/// ``homes`` is empty until ``HMHomeManagerDelegate/homeManagerDidUpdateHomes(_:)`` is called for the first time, soon after
/// the manager was created. All managers of a process show the same homes, those of ``HomeKitSettings/stateFolder``.
open class HMHomeManager: NSObject, @unchecked Sendable {
    let context: ManagerContext
    private let delegateReference = WeakDelegate<any HMHomeManagerDelegate>()

    /// Creates a manager and starts loading the homes in the background.
    public override init() {
        context = ManagerContext(.shared(in: HomeKitSettings.stateFolder))
        super.init()
        context.attach(self)
    }

    init(core: HomeKitCore) {
        context = ManagerContext(core)
        super.init()
        context.attach(self)
    }

    deinit { context.detach() }

    /// The delegate, which is called on the main queue.
    ///
    /// A delegate that is set after the homes were loaded is also notified.
    open var delegate: (any HMHomeManagerDelegate)? {
        get { delegateReference.delegate }
        set {
            delegateReference.delegate = newValue
            guard newValue != nil, context.isLoaded else { return }
            onMainQueue { [weak self] in self?.didLoad() }
        }
    }

    func didLoad() {
        guard let delegate else { return }
        delegate.homeManager(self, didUpdate: authorizationStatus)
        delegate.homeManagerDidUpdateHomes(self)
    }

    private var isLoaded: Bool { context.isLoaded }
    private var stored: Homes { isLoaded ? context.core.state.withLock(\.homes) : Homes() }

    /// The homes, in the order in which they were added.
    open var homes: [HMHome] { stored.homes.compactMap { context.home($0.id) } }
    /// The primary home, or `nil` if there are no homes.
    open var primaryHome: HMHome? { stored.primary.flatMap { context.home($0) } }
    /// Always determined and authorized: on Linux, the permissions of the state folder decide.
    open var authorizationStatus: HMHomeManagerAuthorizationStatus { [.determined, .authorized] }

    /// Makes a home the primary one.
    open func updatePrimaryHome(_ home: HMHome, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        makingPrimary(home).report(to: completionHandler)
    }

    /// Makes a home the primary one.
    open func updatePrimaryHome(_ home: HMHome) async throws { try await makingPrimary(home).value }

    private func makingPrimary(_ home: HMHome) -> PendingResult<Void> {
        guard let id = home.modelReference?.current?.id else { return PendingResult(failure: .removed) }
        return context.core.editModel { homes throws(HomeError) in try homes.setPrimary(id) }
    }

    /// Adds a home without accessories.
    ///
    /// Errors: `homeWithSimilarNameExists`, and those of a name that breaks a rule.
    open func addHome(withName name: String, completionHandler: @escaping @Sendable (HMHome?, (any Error)?) -> Void) {
        adding(name).report(to: completionHandler)
    }

    /// Adds a home without accessories.
    open func addHome(named name: String) async throws -> HMHome { try await adding(name).value }

    private func adding(_ name: String) -> PendingResult<HMHome> {
        let context = context
        return withName(name) { name in
            context.core.edit(duplicateName: .homeWithSimilarNameExists) { homes throws(HMError) in
                try HMError.wrapping(.homeWithSimilarNameExists) { () throws(HomeError) in
                    let id = try homes.addHome(named: name)
                    try homes.edit(id) { home throws(HomeError) in try home.addBuiltInScenes() }
                    return id
                }
            } returning: { id in
                context.home(id)
            }
        }
    }

    /// Removes a home with everything in it, and the pairings with its accessories.
    ///
    /// A pairing with an accessory that cannot be reached is forgotten; that accessory must be reset before it can be added
    /// again.
    open func removeHome(_ home: HMHome, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(home).report(to: completionHandler)
    }

    /// Removes a home with everything in it, and the pairings with its accessories.
    open func removeHome(_ home: HMHome) async throws { try await removing(home).value }

    private func removing(_ home: HMHome) -> PendingResult<Void> {
        guard let current = home.modelReference?.current else { return PendingResult(failure: .removed) }
        let servers = Set(current.accessories.compactMap(\.reference?.server))
        let id = current.id
        return context.core.unpair(servers, of: id) { homes throws(HomeError) in
            let servers = Set(homes.home(id)?.accessories.compactMap(\.reference?.server) ?? [])
            try homes.removeHome(id)
            return servers
        }
    }
}

/// Whether an app may use the homes.
public struct HMHomeManagerAuthorizationStatus: OptionSet, Sendable {
    /// The sum of the flags.
    public let rawValue: UInt

    /// Creates a status.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The user has decided, or no decision is needed.
    public static let determined = HMHomeManagerAuthorizationStatus(rawValue: 1)
    /// The app is not allowed to ask for access.
    public static let restricted = HMHomeManagerAuthorizationStatus(rawValue: 2)
    /// The app may use the homes.
    public static let authorized = HMHomeManagerAuthorizationStatus(rawValue: 4)
}
