package import AccessoryModel
package import HomeModel
internal import Storage

/// A lock that lets only one process at a time run a home.
///
/// Two processes would execute every automation twice. The lock is an advisory lock on a file of its own in the state
/// folder. It ends with the process, even if the process crashes.
package final class HomeLock: Sendable {
    private let lock: StateLock

    private static func path(of home: ObjectID<Home>, in folder: String) -> String {
        "\(folder)/home-\(home.rawValue).lock"
    }

    /// Returns whether a process runs a home; `false` if that cannot be found out.
    package static func isHeld(_ home: ObjectID<Home>, in folder: String) -> Bool {
        (try? StateLock.holder(path: path(of: home, in: folder))) != nil
    }

    /// Locks a home whose state is in a folder, which must exist.
    ///
    /// - Throws: `.inUse` with the process that runs the home; `.unavailable` when the file cannot be created.
    package init(_ home: Home, in folder: String) async throws(StoreError) {
        lock = try await StateLock(path: Self.path(of: home.id, in: folder)) { holder in
            StoreError(
                .inUse,
                reason: "The home \(home.name) is already run by \(holder).",
                remedy: "End that process, or name another home."
            )
        }
    }

    /// Releases the lock.
    ///
    /// A second call does nothing.
    package func release() {
        lock.release()
    }
}
