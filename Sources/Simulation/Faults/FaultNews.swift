/// Something that people are told of a fault.
package enum FaultNews: Sendable, Hashable {
    /// It does what it does, to this.
    case acts(Fault, on: String)
    /// It does nothing any more.
    case isOver(Fault)

    /// Which fault it is about.
    package var fault: Fault {
        switch self {
        case .acts(let fault, _), .isOver(let fault): fault
        }
    }
}

extension FaultNews: CustomStringConvertible {
    /// A sentence: that a fault acts, and on what, or that it is over.
    package var description: String {
        switch self {
        case .acts(let fault, let place): "Fault \(fault.name) acts on \(place)."
        case .isOver(let fault): "Fault \(fault.name) is over."
        }
    }
}
