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

    /// Does several things at one moment: no timer of the server ends between them, however busy the machine is.
    func atOnce(_ body: @Sendable (isolated AccessoryServer) -> Void) {
        body(self)
    }
}
