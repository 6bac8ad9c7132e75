internal import AccessoryModel
internal import HAPCore

/// A request that waits for handlers.
///
/// It belongs to the server's actor and never leaves it.
final class HandlerOperation {
    /// The recipient of the response when all handlers are done.
    let recipient: Recipient
    /// The outcomes of the items so far; empty for a write.
    private(set) var reads: [ReadOutcome]
    /// The outcomes of the items so far; empty for a read.
    private(set) var writes: [WriteOutcome]
    /// The number of handlers that have neither returned nor timed out.
    var remaining = 0

    /// The origin of a request, which receives the response.
    enum Recipient {
        case reader(ConnectionID, ReadOptions)
        case writer(ConnectionID)
        case program(CheckedContinuation<[HAPStatus], Never>)
    }

    init(_ recipient: Recipient, reads: [ReadOutcome] = [], writes: [WriteOutcome] = []) {
        self.recipient = recipient
        self.reads = reads
        self.writes = writes
    }

    /// The origin of the request.
    var origin: ChangeOrigin {
        switch recipient {
        case .reader(let id, _), .writer(let id): .controller(id)
        case .program: .program
        }
    }

    /// Returns whether a connection that is open, or the program, waits for the response.
    func isAwaited(_ isOpen: (ConnectionID) -> Bool) -> Bool {
        switch recipient {
        case .reader(let id, _), .writer(let id): isOpen(id)
        case .program: true
        }
    }

    /// Sets the status of one item.
    func setStatus(_ status: HAPStatus, at position: Int) {
        if reads.isEmpty {
            writes[position].status = status
        } else {
            reads[position].status = status
        }
    }

    /// Switches to the database that has replaced the one of the request.
    func rebind(to database: AttributeDatabase) {
        for position in reads.indices {
            reads[position].rebind(to: database)
        }
        for position in writes.indices {
            writes[position].rebind(to: database)
        }
    }
}
