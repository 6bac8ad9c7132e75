package import AccessoryModel

/// What a driver keeps on disk: blobs by name.
///
/// `hap reset` deletes them with the other state of the server.
package struct DriverStore: Sendable {
    /// The maximum number of bytes of a blob.
    package static let maximumBytes = 64 << 10
    /// The maximum number of blobs of a driver.
    package static let maximumCount = 16

    let data: any DriverDataStore
    let owner: DriverDataOwner

    /// Returns a blob, or `nil` if there is none.
    package func get(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await data.driverData(of: owner)[name]
    }

    /// Stores a blob, or deletes it with `nil`; it is on disk when the call returns.
    ///
    /// - Throws: ``StoreError``, also for a blob that is too large, or for one blob too many.
    package func set(_ name: String, to bytes: [UInt8]?) async throws(StoreError) {
        if let bytes {
            let others = try await data.driverData(of: owner).keys.count { $0 != name }
            guard bytes.count <= Self.maximumBytes, others < Self.maximumCount else {
                throw StoreError(
                    .unavailable,
                    reason: "A driver may keep \(Self.maximumCount) values of \(Self.maximumBytes) bytes.",
                    remedy: "This is a fault of the driver; report it."
                )
            }
        }
        try await data.setDriverData(bytes, name: name, of: owner)
    }
}
