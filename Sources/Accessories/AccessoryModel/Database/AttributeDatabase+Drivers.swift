package import HAPCore

extension AttributeDatabase {
    /// Returns whether a driver has reported a value, or need not, and its device can be reached.
    func hasCurrentValue(at index: Int) -> Bool {
        let service = services[characteristics[index].service]
        guard service.isDriven else { return true }
        return service.isReachable && (values[index] != nil || characteristics[index].isButton)
    }

    /// Returns whether a driver answers for the service of the characteristic at `index`.
    package func isDriven(_ index: Int) -> Bool {
        hasDrivenServices && services[characteristics[index].service].isDriven
    }

    /// Sets whether the driven services of an accessory can be reached.
    package mutating func setReachable(_ isReachable: Bool, _ aid: AccessoryID) {
        for index in services.indices where services[index].aid == aid && services[index].isDriven {
            services[index].isReachable = isReachable
        }
    }
}
