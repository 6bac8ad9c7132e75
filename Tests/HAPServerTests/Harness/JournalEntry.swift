import Discovery
import HAPCore
import HAPServer

/// A call of a server to its observer, advertiser or store.
enum JournalEntry: Sendable, Hashable {
    /// The observer received an event.
    case event(ServerEvent)
    /// The advertiser received a record.
    case advertised(ServiceRecord)
    /// The advertiser was asked to withdraw its record for now.
    case withdrawn
    /// The advertiser was stopped.
    case stopped
    /// The store has saved a change of the pairings.
    case stored(PairingChange)

    /// The status flag that was advertised, or `nil` for all other entries.
    var statusFlag: String? {
        if case .advertised(let record) = self { record.text["sf"] } else { nil }
    }

    /// The configuration number that was advertised, or `nil` for all other entries.
    var configurationNumber: String? {
        if case .advertised(let record) = self { record.text["c#"] } else { nil }
    }
}
