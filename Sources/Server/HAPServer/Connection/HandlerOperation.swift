internal import AccessoryModel
internal import HAPCore

/// A request that waits for handlers.
///
/// It belongs to the server's actor and never leaves it.
final class HandlerOperation {
    var completion: Completion
    /// The number of handlers that have neither returned nor timed out.
    var remaining = 0

    /// The response to send when all handlers are done, and its recipient.
    enum Completion {
        case read(ConnectionID, [ReadOutcome], ReadOptions)
        case write(ConnectionID, [WriteOutcome])
        case programWrite([WriteOutcome], CheckedContinuation<[HAPStatus], Never>)
    }

    init(_ completion: Completion) {
        self.completion = completion
    }

    /// The origin of the request.
    var origin: ChangeOrigin {
        switch completion {
        case .read(let id, _, _), .write(let id, _): .controller(id)
        case .programWrite: .program
        }
    }

    /// Sets the status of one item.
    func setStatus(_ status: HAPStatus, at position: Int) {
        completion.update(at: position..<position + 1) {
            $0.status = status
        } write: {
            $0.status = status
        }
    }

    /// Switches to the database that has replaced the one of the request.
    func rebind(to database: AttributeDatabase) {
        completion.update {
            $0.rebind(to: database)
        } write: {
            $0.rebind(to: database)
        }
    }
}

extension HandlerOperation.Completion {
    /// The outcomes of the items so far; `nil` for a read.
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
