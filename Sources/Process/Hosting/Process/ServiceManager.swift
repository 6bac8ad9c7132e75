internal import Glibc

/// A client of systemd's notification protocol, for a program that a unit of `Type=notify` started.
///
/// [sd_notify(3)](https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html)
package enum ServiceManager {
    /// A state of the program that systemd understands.
    package enum Message: String {
        /// All servers listen.
        case ready = "READY=1"
        /// The servers are stopping.
        case stopping = "STOPPING=1"
    }

    /// Sends a message.
    ///
    /// This does nothing if no such unit started the program. Failures are ignored.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - path: The value of `NOTIFY_SOCKET`. A name that begins with `@` is an abstract socket.
    package static func notify(_ message: Message, at path: String?) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard path.utf8.count < field.count else { return false }
            field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { field[0] = 0 }
            return true
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fits, descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = MemoryLayout<sa_family_t>.size + path.utf8.count
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let text = Array(message.rawValue.utf8)
                return sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, socklen_t(size))
            }
        }
    }
}
