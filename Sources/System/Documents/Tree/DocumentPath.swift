/// A path in the structure of a document.
package indirect enum DocumentPath: Sendable {
    /// The whole document.
    case root
    /// The value of a key.
    case key(String, in: DocumentPath)
    /// An element of a list; indices begin at 0.
    case index(Int, in: DocumentPath)
}

extension DocumentPath: CustomStringConvertible {
    /// The path as text, such as `services[1].characteristics.On`; empty for the whole document.
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .root: break
        case .key(let key, let path):
            path.write(to: &text)
            if case .root = path {} else { text += "." }
            text += key.shortenedForDisplay
        case .index(let index, let path):
            path.write(to: &text)
            text += "[\(index)]"
        }
    }
}
