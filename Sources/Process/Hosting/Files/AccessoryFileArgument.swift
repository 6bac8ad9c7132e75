internal import Glibc

/// A command-line argument that names an accessory file: a path, optionally followed by `#` and the device ID of one
/// device.
package struct AccessoryFileArgument: Sendable {
    package let path: String
    /// The device ID, or `nil` for the whole file.
    package let device: String?

    /// Creates the argument for a whole file.
    package init(path: String) {
        (self.path, device) = (path, nil)
    }

    /// Parses an argument.
    ///
    /// If a file exists whose own name contains the `#`, the whole argument is its path.
    package init(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), mark != text.startIndex, access(text, F_OK) != 0 else {
            (path, device) = (text, nil)
            return
        }
        path = String(text[..<mark])
        device = String(text[text.index(after: mark)...])
    }
}
