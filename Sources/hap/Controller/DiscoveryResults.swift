import Discovery
import HAPCore

/// The accessories that one look has found.
struct DiscoveryResults {
    private var accessoriesByName: [String: DiscoveredAccessory] = [:]
    private var outage: DiscoveryError?
    private var hasReceivedAnswer = false
    /// Whether everything that the daemon knew was told.
    private(set) var isComplete = false

    /// Why nothing can be said; `nil` when a daemon has answered.
    var failure: DiscoveryError? {
        hasReceivedAnswer ? nil : outage
    }

    /// Takes what the browser tells.
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

    /// A table with a head, or a sentence when there is nobody.
    var text: String {
        guard !accessories.isEmpty else { return "No accessory announces itself in this network.\n" }
        let head = ["Name", "Device ID", "Category", "Paired", "Address", "Model", "c#"]
        return TextTable.text([head] + accessories.map(\.row))
    }

    /// An object with `accessories`.
    var json: String {
        JSONWriter.line { $0.list("accessories", accessories) { $0.write(to: &$1) } }
    }
}
