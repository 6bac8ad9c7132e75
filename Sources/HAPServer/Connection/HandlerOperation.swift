internal import AccessoryModel
internal import HAPCore

/// A request that waits for handlers.
///
/// Belongs to the server's actor and never leaves it.
final class HandlerOperation {
    let connection: ConnectionID
    var completion: Completion
    /// How many handlers have not answered yet, nor run out of time.
    var remaining = 0

    /// What is answered when they have.
    enum Completion {
        case read([ReadOutcome], ReadInclusions)
        case write([WriteOutcome])
    }

    init(connection: ConnectionID, completion: Completion) {
        self.connection = connection
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

    /// Goes on with the database that has replaced the one the request was made to.
    func move(to database: AttributeDatabase) {
        switch completion {
        case .read(var outcomes, let includes):
            for position in outcomes.indices {
                outcomes[position].move(to: database)
            }
            completion = .read(outcomes, includes)
        case .write(var outcomes):
            for position in outcomes.indices {
                outcomes[position].move(to: database)
            }
            completion = .write(outcomes)
        }
    }
}
