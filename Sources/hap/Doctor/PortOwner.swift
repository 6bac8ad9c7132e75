/// A process that listens on a port.
struct PortOwner: Sendable, Hashable {
    var processID: Int32
    var name: String?
}

extension PortOwner: CustomStringConvertible {
    var description: String {
        "process \(processID)\(name.map { " (\($0))" } ?? "")"
    }
}
