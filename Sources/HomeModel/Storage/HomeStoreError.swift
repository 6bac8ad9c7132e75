package import AccessoryModel

/// Why homes are not kept.
package enum HomeStoreError: Error, Sendable, Hashable {
    /// Others are kept by now: these. Change them, and save again.
    case conflict(StoredHomes)
    /// The change is against the rules.
    case refused(HomeError)
    /// The store failed.
    case store(StoreError)
}

extension HomeStoreError: CustomStringConvertible {
    /// What happened and what to do, in sentences.
    package var description: String {
        switch self {
        case .conflict: "Another program has changed the homes in the meantime. Do it again."
        case .refused(let error): error.description
        case .store(let error): error.description
        }
    }
}
