package import AccessoryModel

/// What a look at a state folder shows, without opening the state.
package struct StateInspection: Sendable, Hashable {
    /// What the database says.
    package enum Contents: Sendable, Hashable {
        /// There is none yet.
        case none
        /// It is whole; `isCurrent` tells whether its tables are those of this version.
        case whole(servers: [KeptServer], isCurrent: Bool)
        /// It is there, and cannot be read now without changing something.
        case unread
        /// It cannot be used, and why.
        case unusable(StoreError)
    }

    /// Who has the state open.
    package var holder: StateHolder?
    /// Whether the folder is there.
    package var exists: Bool
    /// Whether this process may write the folder and what is in it.
    package var isWritable: Bool
    /// Whether others than the owner may read the database.
    package var isExposed: Bool
    /// The bytes of database and log.
    package var size: Int
    /// The bytes that this user may still write to the disk; `nil` when the system does not say.
    package var freeBytes: Int?
    /// What the database says.
    package var contents: Contents

    /// Creates one.
    package init(
        holder: StateHolder? = nil,
        exists: Bool = true,
        isWritable: Bool = true,
        isExposed: Bool = false,
        size: Int = 0,
        freeBytes: Int? = nil,
        contents: Contents
    ) {
        self.holder = holder
        self.exists = exists
        self.isWritable = isWritable
        self.isExposed = isExposed
        self.size = size
        self.freeBytes = freeBytes
        self.contents = contents
    }
}
