package import Glibc

/// A detector that decides when files are read again: when they have changed and are no longer being written.
///
/// It has no clock. Its owner calls it from time to time.
package struct FileChangeDetector: Sendable {
    /// The paths of the files, without duplicates.
    package let paths: [String]
    private let readStamps: [FileStamp?]
    private var lastStamps: [FileStamp?]

    /// Creates a detector for files that were read.
    ///
    /// A file without a stamp did not exist.
    package init(_ files: [(path: String, stamp: FileStamp?)]) {
        paths = files.map(\.path)
        readStamps = files.map(\.stamp)
        lastStamps = readStamps
    }

    /// Compares the stamps, in the order of ``paths``, and returns whether to read the files now.
    ///
    /// The files are read when a stamp differs from the one at the last reading, but no stamp has changed since the
    /// previous call.
    package mutating func shouldReload(_ stamps: [FileStamp?]) -> Bool {
        defer { lastStamps = stamps }
        return stamps != readStamps && stamps == lastStamps
    }
}

/// A stamp that shows whether the content of a file has changed, without reading the file.
package struct FileStamp: Sendable, Hashable {
    /// The size in bytes.
    package let size: Int64
    private let modified: Int64
    private let modifiedNanoseconds: Int64
    private let identity: Identity

    /// The identity of a file or folder, which stays when its content changes.
    package struct Identity: Sendable, Hashable {
        private let inode: UInt64
        private let device: UInt64

        init(_ status: stat) {
            inode = UInt64(status.st_ino)
            device = UInt64(status.st_dev)
        }
    }

    /// Creates the stamp of a file or of a link's target, or returns `nil` if the file does not exist.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates the stamp from the status of a file.
    package init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        identity = Identity(status)
    }
}
