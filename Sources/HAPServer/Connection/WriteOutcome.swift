internal import AccessoryModel
internal import HAPCore

/// What became of one item of a write.
struct WriteOutcome: Sendable {
    let item: CharacteristicWriteItem
    /// The valid value and where it goes; `nil` when nothing is written.
    private(set) var write: AcceptedWrite?
    var status: HAPStatus

    init(_ item: CharacteristicWriteItem, _ decision: WriteDecision) {
        self.item = item
        switch decision {
        case .finished(let status):
            write = nil
            self.status = status
        case .accepted(let write):
            self.write = write
            status = .success
        }
    }

    /// Finds the characteristic in the database that has replaced the one it was written to.
    mutating func move(to database: AttributeDatabase) {
        guard let value = write?.value else { return }
        write = item.address.id.flatMap { database.index(of: $0) }.map { AcceptedWrite(index: $0, value: value) }
        if write == nil, status == .success {
            status = .doesNotExist
        }
    }
}
