/// A path in the structure of a definition.
package indirect enum DocumentPath: Sendable {
    /// The whole.
    case root
    /// The value of a name.
    case key(String, in: DocumentPath)
    /// The value at a place in a list, from 0.
    case index(Int, in: DocumentPath)
}

extension DocumentPath: CustomStringConvertible {
    /// Such as `services[1].characteristics.On`; empty for the whole.
    package var description: String {
        switch self {
        case .root: return ""
        case .key(let key, .root): return key.shortenedForDisplay
        case .key(let key, let path): return "\(path).\(key.shortenedForDisplay)"
        case .index(let index, let path): return "\(path)[\(index)]"
        }
    }
}
