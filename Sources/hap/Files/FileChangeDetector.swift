import Glibc

/// Decides when files are to be read again: when they are other ones than were read, and nobody writes them any more.
///
/// A value without a clock: it is asked to look from time to time.
struct FileChangeDetector: Sendable {
    /// The files, each once.
    let paths: [String]
    private let readStamps: [FileStamp?]
    private var lastStamps: [FileStamp?]

    /// Begins with what was read; a file without a stamp was not there.
    init(_ files: [(path: String, stamp: FileStamp?)]) {
        paths = files.map(\.path)
        readStamps = files.map(\.stamp)
        lastStamps = readStamps
    }

    /// Compares the stamps, in the order of ``paths``; `true` when the files are to be read now.
    ///
    /// They are when something is other than it was read, and everything as it was at the last look.
    mutating func shouldReload(_ stamps: [FileStamp?]) -> Bool {
        defer { lastStamps = stamps }
        return stamps != readStamps && stamps == lastStamps
    }
}

/// What tells, without reading a file, whether its content is another one.
struct FileStamp: Sendable, Hashable {
    /// In bytes.
    let size: Int64
    private let modified: Int64
    private let modifiedNanoseconds: Int64
    private let inode: UInt64
    private let device: UInt64

    /// The stamp of a file or of what a link leads to; `nil` when there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of what the system says of a file.
    init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }
}
