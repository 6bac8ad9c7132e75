import HAPServer

/// Writes what is told of faults, as `hap serve` words it.
struct FaultPrinter: ServerObserver {
    func observe(_ fact: ServerFact) {
        switch fact {
        case .faultActed(let name, let place): say("Fault \(name) acts on \(place).")
        case .faultOver(let name): say("Fault \(name) is over.")
        default: break
        }
    }
}
