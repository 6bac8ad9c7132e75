import Foundation
import HAPController

extension PairedAccessory {
    /// Returns the id of the characteristic On of the garage's light.
    func lightSwitch() async throws -> CharacteristicID {
        for accessory in try await accessories() {
            for service in accessory.services where service.type == .lightbulb {
                if let on = service.characteristics.first(where: { $0.type == .on }) {
                    return CharacteristicID(aid: accessory.aid, iid: on.iid)
                }
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
