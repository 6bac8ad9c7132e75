package import Glibc

/// The files of the folder at some time.
package struct FolderListing: Sendable {
    /// The names of the files that are served, sorted.
    package let names: [DefinitionFileName]
    /// The number of files beyond the limit.
    package let omitted: Int
    /// The folder that was listed; another one can be mounted at the same path.
    package let identity: FileStamp.Identity
    private let modified: timespec
    private let listed: timespec

    package init(names: [DefinitionFileName], omitted: Int, _ status: stat) {
        self.names = names
        self.omitted = omitted
        identity = FileStamp.Identity(status)
        modified = status.st_mtim
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        listed = now
    }

    /// The message about the files beyond the limit, or `nil` if there are none.
    package var omissionText: String? {
        guard omitted > 0 else { return nil }
        return
            "The folder has \(omitted) more accessory files than the \(AccessoryFolder.maximumFiles) that are served; "
            + "move some of them to another folder."
    }

    /// Returns whether nothing was added to a folder with this status, or removed from it, since the listing.
    package func isCurrent(_ status: stat) -> Bool {
        // Times have a coarse resolution, so a folder that has changed lately may have changed again.
        identity == FileStamp.Identity(status) && status.st_mtim.tv_sec == modified.tv_sec
            && status.st_mtim.tv_nsec == modified.tv_nsec && listed.tv_sec - modified.tv_sec > 2
    }
}
