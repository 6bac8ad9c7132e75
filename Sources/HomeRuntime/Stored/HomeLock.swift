package import AccessoryModel
package import HomeModel
internal import Storage

/// The right to run a home, which one process has at a time: two would do everything twice.
///
/// It is an advisory lock on a file of its own in the state folder; it ends with the process, however that ends.
package final class HomeLock: Sendable {
    private let lock: StateLock

    /// Claims a home whose state is in a folder that is there.
    ///
    /// - Throws: `.inUse` with the process that runs the home; `.unavailable` when the file cannot be made.
    package init(_ home: Home, in folder: String) async throws(StoreError) {
        lock = try await StateLock(path: "\(folder)/home-\(home.id.rawValue).lock") { holder in
            StoreError(
                .inUse,
                reason: "The home \(home.name) is run by \(holder) already.",
                remedy: "End that process, or name another home."
            )
        }
    }

    /// Gives it up; a second call does nothing.
    package func release() {
        lock.release()
    }
}
