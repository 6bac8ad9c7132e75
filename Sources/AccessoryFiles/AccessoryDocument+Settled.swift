internal import AccessoryModel
internal import HAPCore
internal import Simulation

extension AccessoryDocument {
    /// The document with what the file made of it where it said nothing: ids, and the model that belongs to a type.
    ///
    /// To say nothing and to be given something is no loss.
    func settled(like kept: AccessoryDocument) -> AccessoryDocument {
        var document = self
        document.deviceID = deviceID ?? kept.deviceID
        document.setupCode = setupCode ?? kept.setupCode
        document.setupID = setupID ?? kept.setupID
        document.configurationNumber = configurationNumber ?? kept.configurationNumber
        document.accessories.settle(like: kept.accessories) { $0.settle(like: $1) }
        return document
    }
}

extension FileAccessory {
    fileprivate mutating func settle(like kept: FileAccessory) {
        aid = aid ?? kept.aid
        services.settle(like: kept.services) { $0.settle(like: $1) }
    }
}

extension FileService {
    fileprivate mutating func settle(like kept: FileService) {
        description.iid = description.iid ?? kept.iid
        if simulation.model(for: description.key.type) == kept.simulation.model(for: description.key.type) {
            simulation = kept.simulation
        }
        description.characteristics.settle(like: kept.characteristics) { $0.iid = $0.iid ?? $1.iid }
    }
}

extension Array {
    /// Changes each element after its counterpart in a list of as many.
    mutating func settle(like others: [Element], _ change: (inout Element, Element) -> Void) {
        guard count == others.count else { return }
        for (position, other) in zip(indices, others) {
            change(&self[position], other)
        }
    }
}
