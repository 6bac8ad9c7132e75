package import AccessoryModel

/// The reason why homes were not saved.
package enum HomeStoreError: Error, Sendable, Hashable {
    /// Other homes have been saved in the meantime: these.
    ///
    /// Apply the change to them, and save again.
    case conflict(StoredHomes)
    /// The change breaks a rule.
    case refused(HomeError)
    /// The store failed.
    case store(StoreError)
}

extension HomeStoreError: CustomStringConvertible {
    /// The reason and the remedy, in sentences.
    package var description: String {
        switch self {
        case .conflict: "Another program has changed the homes in the meantime. Do it again."
        case .refused(let error): "\(error)"
        case .store(let error): "\(error)"
        }
    }
}
