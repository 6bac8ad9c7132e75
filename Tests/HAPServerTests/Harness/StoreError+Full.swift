import AccessoryModel

extension StoreError {
    /// The error of a store whose disk is full.
    static let full = StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room.")
}
