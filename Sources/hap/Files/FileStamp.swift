import Glibc

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
