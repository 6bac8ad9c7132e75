import AccessoryModel
import HAPCore
import HAPServer

extension AccessoryServer {
    /// Sets values one after the other at one moment, however busy the machine is.
    func setAtOnce(_ values: [(CharacteristicValue, CharacteristicID)]) {
        for (value, id) in values {
            set(value, for: id)
        }
    }
}
