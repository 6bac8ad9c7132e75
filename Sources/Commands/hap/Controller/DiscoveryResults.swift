import Discovery
import HAPCore
import Hosting

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

    /// An object with `accessories`.
    var json: String {
        JSONWriter.line { $0.list("accessories", accessories) { $0.write(to: &$1) } }
    }
}
