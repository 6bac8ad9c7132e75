import AccessoryModel

extension StoreError {
    /// What a store throws when the disk is full.
    static let full = StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room.")
}
