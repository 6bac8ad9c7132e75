package import Glibc

/// A descriptor that refers to a file or folder without opening it for reading.
package struct PathDescriptor: ~Copyable {
    /// The `errno` of a call that failed.
    package struct Failure: Error {
        let code: Int32
    }

    private let descriptor: Int32

    /// Opens the file or folder of a path, and follows links.
    ///
    /// This needs no permission to read the file.
    package init(_ name: String) throws(Failure) {
        let descriptor = Glibc.open(name, Self.pathOnly | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// The path without links, or `nil` if it cannot be determined.
    ///
    /// The path is returned as bytes, because strings that are equal according to Unicode can name different files.
    package var path: [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { buffer in
                guard let base = buffer.baseAddress else { return 0 }
                return max(0, readlink(link, base, buffer.count))
            }
        }
        // A path that fills the buffer was truncated.
        return bytes.isEmpty || bytes.count == Int(PATH_MAX) ? nil : bytes
    }

    /// Returns the type, size and times of the file.
    package func status() throws(Failure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        return status
    }

    /// Opens the file and returns a descriptor, which the caller closes.
    package func open(_ flags: Int32) throws(Failure) -> Int32 {
        let opened = Glibc.open(link, flags)
        guard opened >= 0 else { throw Failure(code: errno) }
        return opened
    }

    /// A path that leads to the file as long as the descriptor is open.
    private var link: String {
        "/proc/self/fd/\(descriptor)"
    }

    /// The value of the macro `O_PATH`, which Swift does not import.
    private static let pathOnly: Int32 = 0o10000000
}
