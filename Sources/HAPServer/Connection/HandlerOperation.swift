internal import AccessoryModel
internal import HAPCore

/// A request that waits for handlers.
///
/// Belongs to the server's actor and never leaves it.
final class HandlerOperation {
    var completion: Completion
    /// How many handlers have not answered yet, nor run out of time.
    var remaining = 0

    /// What is answered when they have, and to whom.
    enum Completion {
        case read(ConnectionID, [ReadOutcome], ReadOptions)
        case write(ConnectionID, [WriteOutcome])
        case programWrite([WriteOutcome], CheckedContinuation<[HAPStatus], Never>)
    }

    init(_ completion: Completion) {
        self.completion = completion
    }

    /// Who asked.
    var origin: ChangeOrigin {
        switch completion {
        case .read(let id, _, _), .write(let id, _): .controller(id)
        case .programWrite: .program
        }
    }

    /// Gives one item its status.
    func setStatus(_ status: HAPStatus, at position: Int) {
        completion.update(at: position..<position + 1) {
            $0.status = status
        } write: {
            $0.status = status
        }
    }

    /// Goes on with the database that has replaced the one the request was made to.
    func rebind(to database: AttributeDatabase) {
        completion.update {
            $0.rebind(to: database)
        } write: {
            $0.rebind(to: database)
        }
    }
}

extension HandlerOperation.Completion {
    /// What became of the items so far; `nil` when they are read.
    var writeOutcomes: [WriteOutcome]? {
        switch self {
        case .read: nil
        case .write(_, let outcomes), .programWrite(let outcomes, _): outcomes
        }
    }

    /// Changes the outcomes at these positions, or all of them.
    fileprivate mutating func update(
        at positions: Range<Int>? = nil,
        read updateRead: (inout ReadOutcome) -> Void,
        write updateWrite: (inout WriteOutcome) -> Void
    ) {
        switch self {
        case .read(let id, var outcomes, let includes):
            for position in positions ?? outcomes.indices {
                updateRead(&outcomes[position])
            }
            self = .read(id, outcomes, includes)
        case .write(let id, var outcomes):
            for position in positions ?? outcomes.indices {
                updateWrite(&outcomes[position])
            }
            self = .write(id, outcomes)
        case .programWrite(var outcomes, let continuation):
            for position in positions ?? outcomes.indices {
                updateWrite(&outcomes[position])
            }
            self = .programWrite(outcomes, continuation)
        }
    }
}
