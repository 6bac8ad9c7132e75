import Glibc

/// A file or folder that is opened to see where its name leads, and cannot be read.
struct FilePlace: ~Copyable {
    /// Negative when there is no such file or folder.
    let descriptor: Int32
    /// The number in `errno` when there is none, else 0.
    let failure: Int32

    /// Opens what a name leads to, links followed.
    init(_ name: String) {
        descriptor = open(name, Self.pathOnly | O_CLOEXEC)
        failure = descriptor < 0 ? errno : 0
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
        }
    }

    /// Where it is, without links; `nil` when that cannot be seen.
    ///
    /// Bytes, since texts that Unicode calls equal are names of different files.
    var path: [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { buffer in
                guard let base = buffer.baseAddress else { return 0 }
                return max(0, readlink("/proc/self/fd/\(descriptor)", base, buffer.count))
            }
        }
        // A name that fills the buffer was cut.
        return bytes.isEmpty || bytes.count == Int(PATH_MAX) ? nil : bytes
    }

    /// `O_PATH`, which is a macro that is not imported.
    private static let pathOnly: Int32 = 0o10000000
}
