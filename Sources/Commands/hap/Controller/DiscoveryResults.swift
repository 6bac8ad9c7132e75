import Discovery
import Documents
import HAPCore
import Hosting
import Resources

/// The accessories that were found by one discovery.
struct DiscoveryResults {
    private var accessoriesByName: [String: DiscoveredAccessory] = [:]
    private var outage: DiscoveryError?
    private var hasReceivedAnswer = false
    /// Whether the daemon has reported everything that it knew.
    private(set) var isComplete = false

    /// The reason why there are no results, or `nil` if a daemon has answered.
    var failure: DiscoveryError? {
        hasReceivedAnswer ? nil : outage
    }

    /// Processes an update of the browser.
    mutating func handle(_ update: DiscoveryUpdate) {
        switch update {
        case .appeared(let accessory), .changed(let accessory): accessoriesByName[accessory.name] = accessory
        case .disappeared(let accessory): accessoriesByName[accessory.name] = nil
        case .allForNow: isComplete = true
        case .available: hasReceivedAnswer = true
        case .unavailable(let error): outage = error
        }
    }

    /// Returns the accessories that announce themselves on the network.
    ///
    /// - Parameters:
    ///   - type: The type of the announced service.
    ///   - time: The maximum time to search.
    ///   - settlingTime: The time to wait for slow accessories after everything else was reported.
    /// - Throws: ``CommandFailure`` if no daemon answers.
    static func search(
        _ type: String = "_hap._tcp",
        within time: Duration = .seconds(3),
        settling settlingTime: Duration = .zero
    ) async throws -> DiscoveryResults {
        var results = DiscoveryResults()
        let events = DiscoveryEvents(AccessoryBrowser(type: type).updates())
        events.finish(after: time)
        for await update in events.updates {
            results.handle(update)
            if results.isComplete {
                events.finish(after: settlingTime)
            } else if results.failure != nil {
                break
            }
        }
        if let failure = results.failure { throw CommandFailure.unavailable(failure.description) }
        return results
    }

    /// The accessories that are announced now, sorted by name.
    var accessories: [DiscoveredAccessory] {
        accessoriesByName.values.sorted { ($0.name, $0.port) < ($1.name, $1.port) }
    }

    /// A table with a header, or a sentence if there are no accessories.
    var text: String {
        guard !accessories.isEmpty else { return "No accessory announces itself on this network.\n" }
        let head = ["Name", "Device ID", "Category", "Paired", "Address", "Model", "c#"]
        return TextTable.text([head] + accessories.map(\.row))
    }

    /// The accessories as JSON.
    static let format = Format<DiscoveryResults>(
        response: "AnnouncedAccessories",
        .written("accessories", \.accessories, .list(of: DiscoveredAccessory.format), "The accessories, by name.")
    )
}
