internal import AccessoryModel
internal import HAPCore

/// What became of one item of a read.
struct ReadOutcome: Sendable {
    let address: CharacteristicAddress
    /// Where the characteristic stands in the database; `nil` when it cannot be read.
    private(set) var index: Int?
    var status: HAPStatus

    init(_ address: CharacteristicAddress, _ result: Result<Int, HAPStatusError>) {
        self.address = address
        switch result {
        case .success(let index):
            self.index = index
            status = .success
        case .failure(let error):
            index = nil
            status = error.status
        }
    }

    /// Finds the characteristic in the database that has replaced the one it was read from.
    mutating func move(to database: AttributeDatabase) {
        guard index != nil else { return }
        index = address.id.flatMap { database.index(of: $0) }
        if index == nil, status == .success {
            status = .doesNotExist
        }
    }
}
