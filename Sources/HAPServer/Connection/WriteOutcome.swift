internal import AccessoryModel
internal import HAPCore

/// What became of one item of a write.
struct WriteOutcome: Sendable {
    let item: CharacteristicWriteItem
    /// The valid value and where it goes; `nil` when nothing is written.
    let write: AcceptedWrite?
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
}
