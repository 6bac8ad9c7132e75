import Glibc

/// A file under `/proc`, which has no size and comes a page at a time.
enum KernelFile {
    /// The most bytes that are read; ten thousand connections have 1.5 MB.
    private static let maximumSize = 16 << 20

    /// The whole text, `nil` when it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < maximumSize {
            let count = read(descriptor, &page, page.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += page.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
