internal import HAPCore

/// A request that waits for handlers.
///
/// Belongs to the server's actor and never leaves it.
final class HandlerOperation {
    let connection: ConnectionID
    /// The server's generation when the request came.
    let generation: UInt64
    var completion: Completion
    /// How many handlers have not answered yet, nor run out of time.
    var remaining = 0

    /// What is answered when they have.
    enum Completion {
        case read([ReadOutcome], ReadInclusions)
        case write([WriteOutcome])
    }

    init(connection: ConnectionID, generation: UInt64, completion: Completion) {
        self.connection = connection
        self.generation = generation
        self.completion = completion
    }

    /// Gives one item its status.
    func setStatus(_ status: HAPStatus, at position: Int) {
        switch completion {
        case .read(var outcomes, let includes):
            outcomes[position].status = status
            completion = .read(outcomes, includes)
        case .write(var outcomes):
            outcomes[position].status = status
            completion = .write(outcomes)
        }
    }

    /// Gives every item the same status.
    func setStatus(_ status: HAPStatus) {
        let count =
            switch completion {
            case .read(let outcomes, _): outcomes.count
            case .write(let outcomes): outcomes.count
            }
        for position in 0..<count {
            setStatus(status, at: position)
        }
    }

    /// Whether the request is a write.
    var isWrite: Bool {
        if case .write = completion { true } else { false }
    }
}
