import AccessoryModel
import HomeModel
import HomeRuntime

/// The homes that are kept, with what commands do with them.
struct HomeLibrary: Sendable {
    private let store: HomeStateStore

    /// Opens the homes in a folder; makes it when there is none.
    static func open(folder: String) async throws(StoreError) -> HomeLibrary {
        HomeLibrary(store: try await HomeStateStore.open(folder: folder))
    }

    /// Whether a folder has homes.
    static func exists(in folder: String) -> Bool {
        (try? HomeStateStore.exists(in: folder)) == true
    }

    /// The homes as they are kept, with who is at home.
    func homes() async throws(StoreError) -> Homes {
        try await kept().homes
    }

    /// The homes as they are kept, with who is at home and which change of that was the last.
    func kept() async throws(StoreError) -> KeptHomes {
        try await store.homes()
    }

    /// A number that is another one as soon as another process has changed anything; costs next to nothing.
    func editsOfOthers() async throws(StoreError) -> Int64 {
        try await store.editsOfOthers()
    }

    /// Changes the homes, all or nothing; does it again when another process was faster.
    ///
    /// - Throws: ``CommandFailure``.
    func edit<Result: Sendable>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(HomeStoreError) {
            return try await store.change(change)
        } catch {
            switch error {
            case .refused(let error): throw CommandFailure(error)
            case .store(let error): throw CommandFailure(error)
            case .stale: throw CommandFailure(.failed, error.description)
            }
        }
    }

    /// Disables automations of a home, as far as both are still stored.
    func disable(_ automations: Set<ObjectID<Automation>>, of home: Home) async throws(StoreError) {
        do throws(HomeStoreError) {
            try await store.change { homes throws(HomeError) in
                guard homes.home(home.id) != nil else { return }
                try homes.edit(home.id) { home throws(HomeError) in
                    for automation in automations where home.automation(automation) != nil {
                        try home.setAutomation(automation, isEnabled: false)
                    }
                }
            }
        } catch {
            switch error {
            case .store(let error): throw error
            // Both are impossible here: nothing is refused, and a newer version is changed again.
            case .refused, .stale: return
            }
        }
    }

    /// Keeps whether a user is at home.
    func setPresence(_ isHome: Bool, of user: ObjectID<HomeUser>, in home: Home) async throws(StoreError) {
        try await store.setPresence(isHome, of: user, in: home.id)
    }

    /// Who came and went in a home after a change, in order.
    func presenceChanges(of home: Home, after number: Int64) async throws(StoreError) -> [PresenceChange] {
        try await store.presenceChanges(of: home.id, after: number)
    }

    /// What the engine of a home has to remember.
    func memory(of home: Home) async throws(StoreError) -> EngineMemory {
        try await store.memory(of: home.id)
    }

    /// Keeps what the engine of a home has to remember.
    func save(_ memory: EngineMemory, of home: Home) async throws(StoreError) {
        try await store.save(memory, of: home.id)
    }

    /// Adds to the journal of a home.
    func append(_ entries: [KeptJournalEntry]) async throws(StoreError) {
        try await store.append(entries)
    }

    /// The last entries of a home's journal, the oldest first.
    func journal(of home: Home, last count: Int) async throws(StoreError) -> [KeptJournalEntry] {
        try await store.journal(of: home.id, last: count)
    }

    func close() async throws(StoreError) {
        try await store.close()
    }
}
