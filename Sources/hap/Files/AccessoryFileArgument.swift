import Glibc

/// The name of a file of accessories, as it is given: a path, and behind `#` the device ID of one device in it.
struct AccessoryFileArgument: Sendable {
    let path: String
    /// The device ID; `nil` for the whole file.
    let device: String?

    /// Takes a text apart; a file whose own name has a `#` in it is meant as a whole.
    init(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), mark != text.startIndex, access(text, F_OK) != 0 else {
            (path, device) = (text, nil)
            return
        }
        path = String(text[..<mark])
        device = String(text[text.index(after: mark)...])
    }
}
