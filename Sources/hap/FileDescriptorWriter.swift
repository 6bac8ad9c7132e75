import Glibc

/// Writes whole texts to a file descriptor.
enum FileDescriptorWriter {
    /// Writes all of a text; a reader that has gone ends it early.
    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, !rest.isEmpty {
                let written = Glibc.write(descriptor, base, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}
